"""Vietnamese, with its marks: subject, deciding verb, object."""

from awf_archive.domain.decisions.text_cues.shape import FIRM, Cue, Cues
from awf_archive.domain.decisions.text_cues.vi_rules import RULES, TELLS

_USE = r"(?:dùng|sử dụng|xài|áp dụng|chọn|lấy|theo|chốt|giữ|đi theo|đi với)"
_DO = (
    r"(?:dùng|sử dụng|xài|áp dụng|chọn|lấy|theo|chốt|giữ|làm|viết|lưu|để|đặt|gọi|tách|gộp|tạo|chạy|cài|triển khai|hiển thị|"
    r"trả về|đưa|gửi|thêm|bỏ|chuyển|ghi|tính|cho|xử lý|kiểm tra|build|deploy|import|test|cache|render)"
)
_NOT = "đừng|không|ko|k|khỏi|bỏ|dẹp"
_OVER = (
    "thay vì|thay cho|chứ không phải|chứ không|chứ ko phải|chứ ko|hơn là|mà không phải|thay thế cho|chứ đừng"
)
_WE = r"(?:mình|tôi|tui|tớ|em|anh|chúng ta|chúng mình|chúng tôi|bọn mình|ta|team|nhóm|bên mình|bên em)"
_LATER = "bản sau|đợt sau|tuần sau|tháng sau|quý sau|giai đoạn|phase|v1|v2|v3"

_WITHOUT_MARKS = r"\b(?:khong|ko|dung|duoc|lam|phuong an|chon|thay|thoi|nhe|nha|minh|toi|cua|nay|vay|khoi|thu|huong|dong y|dinh|chot|luu|giu|xai|theo|lai|cach|thi|phai|nguoi|moi|cai|ngay|khach|giup|het|bo di)\b"
"""Frequent words, which tell the language where its marks are left out."""

_WORKS = (
    r"^\W*(?:(?:ok|oke|rồi|giờ|thôi|hãy|và|ừ|vâng|được|dạ|cứ|bạn|em|tiếp|thế|thì|bây giờ),? ){0,4}(?:chạy|test|commit|push|xem|kiểm tra|sửa|thêm|viết|làm|đo|giải thích|tiếp|tạo|git|cảm ơn|tốt|mở|đọc|"
    r"check|deploy|merge|gửi|cho (?:tôi|mình|em|anh)|up|review|tóm tắt|hướng dẫn|fix|lỗi|ok|oke|vẫn|ghi|tuyệt|hay|đúng|chào|mai|haha|rồi|xong)\b"
)

CUES = Cues(
    language="vi",
    needs=rf"[ăâđêôơưàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ]|{_WITHOUT_MARKS}",
    needs_in_ascii=_WITHOUT_MARKS,
    openers=r"ok|oke|okay|okie|oki|ừ|uh|ừm|um|vâng|dạ|được|dc|đc|rồi|thôi|vậy|thế|thế thì|vậy thì|nhưng|mà|nên|và|à|ơ|hmm|không|ko|"
    r"thì|giờ|bây giờ|cứ|hãy|hay là thôi|trước mắt|tạm thời|tạm|cho nên|do đó|vì vậy|vì thế|"
    r"mình|tôi|tui|em|anh|bạn|chúng ta|chúng mình|bọn mình|team|bên mình|ta|nhớ|nhé|sẽ|đã|cần|phải|nên|muốn|thích|nghĩ là|nghĩ nên|"
    r"thấy nên|nghĩ|cuối cùng|lần này|phần này|cái này|ở đây|chỗ này|hợp lý|tốt|hay|làm ơn|giúp|thật ra|"
    r"tất cả|đều|cũng|chỉ|chỉ cần|luôn|lại|đi|nha",
    joint=r",? ",
    breaks=r"nhưng|nên|vậy|và|mà|nhớ là|nhớ",
    cues=(
        # Một cách được chọn, cách kia thì không.
        Cue(_OVER, rf"{_DO} (?P<chosen>\S.{{0,120}}?) <> (?P<refused>\S.{{0,100}})", "", FIRM),
        Cue(_OVER, rf"<> (?P<refused>\S.{{0,80}}?),? (?:thì )?{_DO} (?P<chosen>\S.{{0,80}})", "user", FIRM),
        Cue(
            _NOT,
            rf"(?:(?:{_OVER}) )?(?:thôi |không |ko |khỏi )?<>(?: cần| nên)? {_USE}? ?(?P<refused>\S.{{0,60}}?)(?: nữa)?[,;:.\-– ]+(?:mà |hãy |cứ |thì |chỉ ){{0,2}}"
            rf"(?:{_USE}|chuyển sang|chuyển qua|đổi sang|thay bằng)(?: luôn| thẳng| hẳn)? (?P<chosen>\S.{{0,80}})",
            "user",
            FIRM,
        ),
        Cue(
            "chuyển|đổi|quay",
            r"<>(?: \S{1,20}){0,4}? (?:sang|qua|về) (?:dùng|xài) (?P<chosen>\S.{0,80})",
            "user",
            FIRM,
        ),
        Cue(
            "quyết định|thống nhất",
            r"(?:đã |sẽ |tự )?<>(?: là| rằng| sẽ| dùng| theo| chọn| cuối cùng)?(?::| )(?!này|đó|kia|của|như|nào|gì|xem|sau|với|giữa|trong|toàn|chưa|dữ liệu|giao diện) ?\S.{2,}",
            "",
            FIRM,
        ),
        Cue(
            "chốt",
            r"(?:đã |sẽ )?<>(?: lại| luôn| là| phương án| cách| hướng| dùng)?(?::| )(?! *(?:chưa|nào|gì|sau|vậy|thế|luôn|đi|nhé|nha|cái này|như vậy|như thế)) ?\S.{2,}",
            "",
            FIRM,
        ),
        Cue(
            "từ giờ|từ nay|từ bây giờ|kể từ giờ|về sau|sau này",
            r"<>(?: trở đi| về sau)?,? \S.{4,}",
            "user",
            FIRM,
            is_marked=True,
        ),
        Cue("dung luon|su dung luon|xai luon", r"<> (?P<chosen>\S.{0,100})", "user", FIRM),
        # Người dùng nói dùng gì, bỏ gì, mọi thứ phải thế nào.
        Cue(
            "chuyển|đổi|quay",
            r"<>(?: \S{1,20}){0,4}? (?:sang|qua|về|thành) (?!tab|trang|màn|bước|branch|nhánh|phần|task)(?P<chosen>\S.{0,80})",
            "user",
        ),
        Cue(
            "thay|viết|làm|code|build",
            r"<> (?P<refused>\S.{0,60}?)?(?:bằng|thành) (?P<chosen>\S.{0,80})",
            "user",
        ),
        Cue(
            "dùng|sử dụng|xài|áp dụng|ưu tiên|chọn|chốt|lấy",
            r"<> (?:luôn |thẳng |hẳn |tạm |đúng )?(?!gì|nào|được|hết|để\b|thử|file|tab|ảnh|ra\b|từ|dữ liệu|thông tin|vậy|thế|như)(?P<chosen>\S.{0,100})",
            "user",
            is_marked=True,
        ),
        Cue(
            "đừng|không|khỏi|ko|chưa|khoan",
            r"<> (?:nên |cần |phải |được )?(?:dùng|sử dụng|xài|đụng|động|chạm|làm|thêm|in|hiện|gửi|lưu|bật|mở|bán|cho|đổi|tạo) (?P<refused>\S.{1,80})",
            "user",
            is_marked=True,
        ),
        Cue("không cần|ko cần|khỏi", r"<> (?!lo|ngại|nói|phải nói)\S.{3,80}", "user", is_marked=True),
        Cue(
            "giữ|bỏ|dẹp|để nguyên",
            r"(?:vẫn |cứ )?<>(?: nguyên| hẳn| luôn| bớt| qua)? (?!lỡ|ra\b|vào|lại|qua bước)\S.{3,80}",
            "user",
            is_marked=True,
        ),
        Cue(
            "phải|bắt buộc|không được|luôn|mặc định|tuyệt đối",
            r"(?:\S+ ){0,6}?<> \S.{3,100}",
            "user",
            is_marked=True,
        ),
        Cue(
            "dạng|theo kiểu|đánh theo|đặt là|gọi là|đặt tên",
            r"(?:\S+ ){1,6}<> \S.{2,}",
            "user",
            is_marked=True,
        ),
        Cue(
            "thì",
            r"(?:\S+ ){1,8}?<> (?:dùng|lấy|bỏ|giữ|cho|không|chặn|lưu|để|tính|trả|ẩn|hiện|báo|coi|ghi)\b.{0,120}",
            "user",
            is_marked=True,
        ),
        Cue(
            "chỉ",
            r"<> (?:cần|dùng|lấy|giữ|làm|để|cho|hiện|lưu) \S.{3,}|<> \S.{1,20}? (?:mới )?(?:được|có quyền|xem|sửa|xoá|xóa|thấy)\b.{0,60}",
            "user",
            is_marked=True,
        ),
        Cue("muốn|chỉ cần", r"(?:không |ko |chưa )?<> (?!hỏi|biết|xem|nhờ)\S.{3,}", "user"),
        Cue("là được|là đủ|là ok", r"\S.{2,60}? <>$", "user", is_marked=True),
        Cue(
            "cho phép|không cho|cấm|chặn|ẩn|giới hạn|tối đa|tối thiểu|yêu cầu|tự động",
            r"<> \S.{2,}",
            "user",
            is_marked=True,
        ),
        Cue("tạm thời|trước mắt|tạm", r"<> (?!thời\b|ổn|nghỉ|dừng)\S.{3,}", "user", is_marked=True),
        Cue(
            "để",
            r"(?:thôi )?<> (?:đó |lại |sang )?(?:bàn |làm |tính )?(?:sau|quý sau|tháng sau|tuần sau|bản sau)\b.{0,40}",
            "user",
            is_marked=True,
        ),
        Cue(
            _LATER,
            r"(?:\S+ ){0,6}?(?:để|cho|qua|sang) <>\b.{0,40}|(?:\S+ ){0,4}?<> (?:mới|hẵng|rồi|hãy) (?:làm|tính|thêm)\b.{0,40}",
            "user",
            is_marked=True,
        ),
        Cue(
            "tối đa|tối thiểu|mỗi|hết hạn|retry|timeout|giới hạn|không quá|ít nhất|trong vòng|giữ|để|lưu",
            r"(?:\S+ ){0,8}?<> (?:\S+ ){0,5}?\d+\S*.{0,60}",
            "user",
            is_marked=True,
        ),
        Cue(
            "đừng|không|khỏi|ko",
            r"\S.{2,60}?, ?<> (?!biết|sao|được|chạy|thấy|hiểu|có|phải|ra)\S.{2,}",
            "user",
            is_marked=True,
        ),
        Cue(
            "tên|số|mã|giá|phí|thời gian|thời hạn|tiền|màu",
            r"<> \S.{0,40}? (?:là|tính theo|theo|lấy|gồm) (?!gì|sao|nào|bao)\S.{1,}",
            "user",
            is_marked=True,
        ),
        Cue(
            "deploy|host|triển khai|lưu|đặt|để",
            r"<> (?:lên|trên|ở|vào|trong) (?!đây|đó|kia|máy|nhánh|branch)\S.{2,}",
            "user",
            is_marked=True,
        ),
        Cue("gộp|tách|chia|ghép", r"<> (?!ra sao)\S.{3,}", "user", is_marked=True),
        Cue(
            "quay lại|quay về|vẫn|cứ",
            r"<> (?:bản|cách|phương án|kiểu|giữ|dùng|để|theo|làm) \S.{1,}",
            "user",
            is_marked=True,
        ),
        Cue("cần có|phải có|nhất định", r"(?:\S+ ){0,6}?<> \S.{2,}", "user", is_marked=True),
        Cue(
            "hơn",
            r"\S.{3,60}? (?:tốt|ổn|hợp lý|hay|gọn|đơn giản|an toàn|nhẹ|nhanh|tiện|chắc) <>(?: \S+){0,3}$",
            "user",
            is_marked=True,
        ),
        Cue(
            "theo",
            r"(?:làm |viết |đặt |tổ chức )?<> (?:chuẩn|kiểu|mẫu|style|convention|đúng|quy ước) \S",
            "user",
            is_marked=True,
        ),
        Cue(
            "đừng|không nên|cấm|khỏi phải", r"<> (?!lo|ngại|quên|hiểu|nói|hỏi)\S.{2,}", "user", is_marked=True
        ),
        Cue(
            "bản này|phiên bản này|bản đầu|lần này|đợt này|hiện tại|v1|mvp",
            r"<>,? (?:thì )?(?:chỉ|chưa|không|khoan|bỏ) (?!chạy|thấy|có|được|biết|hiểu)\S.{2,}",
            "user",
            is_marked=True,
        ),
        Cue(
            "để|set|cho|đặt|đổi tên",
            r"<> \S.{0,40}? (?:là|bằng|=|thành) (?!gì|sao|nào|bao|được)\S",
            "user",
            is_marked=True,
        ),
        Cue(
            "theo|bằng|thành|dưới dạng|vào|ra|ở|trong|cạnh|trên|đến|bên",
            r"(?:(?!mình|tôi|em|bạn|lỗi|vẫn|không)\S+ ){0,4}?(?:lưu|đặt|hiển thị|trả|tính|ghi|sắp xếp|viết|xử lý|để|giữ|log|xuất|chạy)(?: \S+){0,5}? <> (?!đây|đó|kia|nhánh|branch|máy|gì|nào|được|sao|rồi|đi)\S",
            "user",
            is_marked=True,
        ),
        Cue(
            "không cần|khỏi cần|không được|không có",
            r"(?:(?!mình|tôi|em|bạn|vẫn|sao)\S+ ){1,4}?<> (?!gì|lỗi|vấn đề|chạy|lo|nữa|rồi)\S.{2,}",
            "user",
            is_marked=True,
        ),
        Cue(
            "chỉ",
            r"(?:(?!mình|tôi|em)\S+ ){1,5}?<> (?:có|cần|dùng|lấy|giữ|hiện|lưu|được|cho) \S.{1,}",
            "user",
            is_marked=True,
        ),
        Cue("mỗi", r"<> \S+(?: \S+)? (?:một|1|chỉ|được) \S", "user", is_marked=True),
        Cue(
            "làm tròn|trả về|hiện|được", r"(?:\S+ ){0,4}?<> (?:\S+ ){0,2}?\d+.{0,60}", "user", is_marked=True
        ),
        Cue("giống", r"(?:\S+ ){1,8}?<> (?!vậy|hôm|lúc|lỗi)\S", "user", is_marked=True),
        Cue("tự", r"(?:\S+ ){0,3}?<> (?:host|viết|làm|build|quản lý|code|xây)\b.*", "user", is_marked=True),
        Cue("thuộc", r"(?:\S+ ){1,4}?<> \S.{2,}", "user", is_marked=True),
        Cue("ko dung|khong dung|khoi dung", r"<> (?P<refused>\S.{1,60}) nua\b", "user"),
        # Trợ lý chọn, giữ nguyên, hay đề xuất.
        Cue(
            "chọn|chốt|quyết|dùng|giữ|lấy",
            rf"(?:{_WE} )?(?:sẽ |đã |vừa )?<> (?!file|tab|nào|gì)(?P<chosen>\S.{{0,100}}?),? (?:vì|bởi|do|nhằm|thay) \S",
            "assistant",
        ),
        Cue(
            "tách|gộp|đặt|lưu|để|viết|thêm|chuyển|dùng|chọn|giữ|đưa|dựng|gom|làm",
            rf"{_WE} (?:sẽ |đã |đang )?<> \S.{{3,100}}?(?:, (?:không|chứ không|thay vì)| (?:vì|để tránh|để không|cho đỡ|cho dễ|cho gọn|thay vì|bằng|dưới dạng|theo)) \S",
            "assistant",
        ),
        Cue(
            "giữ|không|chưa|bỏ",
            rf"{_WE} (?:sẽ |đã |cũng )?<> (?!thấy|tìm|biết|chắc|thể|có)\S.{{3,}}",
            "assistant",
        ),
        Cue("cố ý|cố tình|chủ động", r"(?:\S+ ){0,3}<> (?:giữ|để|không|bỏ|dùng|chọn|tách) \S", "assistant"),
        Cue(
            "đề xuất|khuyên|gợi ý|khuyến nghị|đề nghị|nghiêng về|nghĩ nên",
            rf"{_WE} (?:xin )?<> \S",
            "assistant",
        ),
        Cue("nên", r"<> (?:dùng|chọn|tách|giữ|lưu|để|bỏ|đặt|thêm|gộp|viết|đưa|chia) \S", "assistant"),
        Cue("khuyến nghị|đề xuất|gợi ý|lựa chọn", r"<>(?: của \S+)?: ?\S.{3,}", "assistant"),
        Cue(
            "phương án|cách|hướng|giải pháp",
            r"<> (?:tốt|đơn giản|hợp lý|phù hợp|gọn|an toàn) nhất (?:là|:) ?\S",
            "assistant",
        ),
        *RULES,
    ),
    doubts=r"^\W*(?:ví dụ|chẳng hạn)|\b(?:nếu|giả sử|có lẽ|có thể|hay là|hoặc là|(?<!dữ\s)(?<!tài\s)(?<!vật\s)(?<!nhiên\s)liệu|chưa (?:\S+ )?(?:quyết|chốt|thống nhất|chọn)|chờ (?:\S+ )?(?:quyết|chốt)|"
    r"(?:không|ko|để|cần|phải|nên|bạn|anh|chị|em|sếp|khách|giúp\S*|khi|trước khi|sau khi|hãy|việc|sự|ra|các|những|một số|mấy) (?:\S+ )?quyết định(?! (?:dùng|chọn|là))|"
    r"thử xem|(?<!quyết\s)định dùng|tính dùng|lẽ ra|đáng lẽ|cân nhắc|xem xét|nghĩ sao|tùy|tuỳ)\b",
    asks=r"\b(?<!thì\s)(?:gì|nào|sao|bao giờ|bao nhiêu|thế nào|như nào|phải không|được không|đúng không|có nên|vì sao|tại sao|làm sao|hay là|ra sao|"
    r"hả|nhỉ|à|chưa|không|ko|hông)\s*$|\b(?:có nên|vì sao|tại sao|làm sao|làm thế nào|bao nhiêu|là gì|như thế nào)\b",
    weighs=r"\b(?:nên|hay|gì|nào|bao nhiêu|mấy|không|ko|k|chưa|sao|đâu|được)\b",
    leaves=r"\b(?:có thể .*(?:hoặc|hay)|hoặc (?:là )?|(?:hai|ba|mấy|vài|2|3) (?:cách|phương án|hướng))\b",
    requests=r"^\W*(?:bạn|em|anh|mày) (?:có thể )?(?=(?:đổi|chuyển|thay|dùng|bỏ|giữ).{1,120}(?:giúp|được không|nhé|đi))",
    works=_WORKS,
    tells=TELLS,
    orders=_WORKS,
    announces=r"\b(?:sau|sau đây|dưới đây|này)\b[^:]{0,40}:$",
    because=r"(?<=[\s,])(?:bởi vì|bởi|(?<!thay\s)vì là|(?<!thay\s)vì|tại vì|do (?!đó|vậy)(?=.*[\u0103\u00e2\u0111\u00ea\u00f4\u01a1\u01b0\u1ea0-\u1ef9])|lý do(?: là|:)|cho (?:đỡ|nhẹ|nhanh|dễ|gọn|đơn giản|tiện|chắc|rẻ|an toàn)|để (?:dễ|tránh|đỡ|giảm|khỏi|không|đảm bảo|tiện|nhanh|gọn|tiết kiệm|sau này))\b",
    because_first=r"^\W*(?:vì|do|bởi vì|tại|tại vì) (?P<reason>[^,]{4,160}?),? (?:nên|thì) ",
    explains=r"^\W*(?:vì|bởi|tại|do (?!đó)|lý do|như (?:vậy|thế)|cho (?:đỡ|nhẹ|nhanh|dễ|gọn|tiện)|cách này)",
    offers=r"(?:bạn|anh|chị|em|bác|sếp) có (?:muốn|cần|đồng ý)(?: (?:mình|tôi|em|để \S+))?|(?:mình|tôi|em) (?:có )?(?:nên|sẽ)|(?:có nên|nên) |(?:được không|nhé|ok không|ok chứ|chứ|không)\s*\?|"
    r"(?:anh|bạn|chị) (?:thấy sao|nghĩ sao|duyệt|đồng ý)",
    recommends=r"\b(?:(?:mình|tôi|em) (?:xin )?(?:đề xuất|khuyên|gợi ý|khuyến nghị|nghĩ nên|đề nghị|recommend|nghiêng về)(?: là| rằng| nên| dùng)?:?|(?:đề xuất|khuyến nghị|gợi ý)(?: của (?:mình|tôi|em))?(?: là)?:?|"
    r"(?:phương án|cách|hướng|giải pháp) (?:tốt nhất|đơn giản nhất|hợp lý nhất|đề xuất|phù hợp nhất)(?: là|:)|nên (?=dùng|chọn|tách|giữ|lưu|để)|kế hoạch(?: là|:)|(?:mình|tôi|em) sẽ)",
    plans=r"kế hoạch|(?:mình|tôi|em) sẽ",
    trifles=r"^(?:bắt đầu|tiếp tục|chạy|xem|kiểm tra|giải thích|làm tiếp|test|commit|push|tiến hành|hỗ trợ|thử|mở|đọc|đi tiếp|làm gì|hướng dẫn|giúp|triển khai luôn|làm luôn|thêm gì|gì)\b",
    choices=r"\b(?:dùng|chọn|giữ|thay|bỏ|chuyển|đổi|tách|gộp|lưu|để|theo|phương án|cách|chỉ|không)\b",
    empties=r"(?:bạn|anh|chị|em) (?:thấy (?:sao|thế nào|ổn)|nghĩ sao|có đồng ý|đồng ý|duyệt|ok)|(?:mình|tôi|em) (?:làm|tiến hành|bắt đầu|triển khai|tiếp tục)(?: luôn| tiếp| theo hướng này)*(?: nhé| được không|\?)|"
    r"có (?:muốn|cần) (?:mình|tôi|em) (?:bắt đầu|tiến hành|tiếp tục|triển khai|làm)(?: luôn| ngay| tiếp)*(?: không)?\s*\?|ok (?:không|chưa|chứ)|như vậy (?:được|ổn)|được (?:không|chưa)\s*\?|ổn không|chọn (?:phương án|cách|hướng) nào",
    judges=r"(?:thấy (?:sao|thế nào|ổn)|nghĩ sao|có đồng ý|duyệt|ok (?:không|chưa|chứ)|ổn (?:không|chưa)|như vậy được|vậy được (?:không|chưa))",
    option_words=r"(?:phương án|cách|lựa chọn|hướng|giải pháp|option|pa)",
    picks=r"(?:(?:mình |anh |em |tôi |cứ |thì |thôi )?(?:chọn|lấy|dùng|theo|làm theo|làm|chốt|đi theo|triển khai|ok|thích) )?(?:theo )?"
    r"(?:(?:phương án|cách|lựa chọn|hướng|giải pháp|option|pa|số|cái số) (?:số |thứ )?(?P<which>[a-h]|\d{1,2}|một|hai|ba|bốn)|(?:cái|cách|phương án|hướng) (?:thứ )?(?P<place>đầu tiên|đầu|nhất|hai|ba|bốn|cuối cùng|cuối|một)|\(?(?P<bare>[a-h]|\d{1,2})\)?)"
    r"(?: (?:đi|nhé|nha|luôn|em|anh|bạn|ạ|là được|là ổn|hợp lý|ok|này|trước))*",
    ordinals={
        "một": 1,
        "hai": 2,
        "ba": 3,
        "bốn": 4,
        "đầu tiên": 1,
        "đầu": 1,
        "nhất": 1,
        "cuối cùng": -1,
        "cuối": -1,
    },
    alternatives=r" (?:hay|hoặc) | (?P<open>nào|gì|sao|mấy|bao nhiêu)\b",
    fillers="la va voi cho cua o trong de thi ma nen nhe nha di luon thoi vay the nay do kia cai phan minh toi tui em anh ban chung ta "
    "se da dang dung su xai ap chon lay theo chot giu quyet dinh thong nhat thay vi bang chuyen sang qua ve khong "
    "ko khoi dung bo can nua chu hon hay hoac cung chi deu het ca mot cac nhung duoc co lam nhu",
    denies=r"\b(?:không|ko|đừng|khỏi|bỏ|chưa|dẹp|chẳng)\b",
    consents=r"(?:cứ |thì |ừ |ok )?(?:theo|nghe|làm theo) (?:ý |đề xuất |gợi ý |cách |phương án )?(?:như )?(?:của )?(?:em|bạn|mày|đó|này)(?: (?:nói|bảo|đề xuất))?(?: (?:đi|nhé|nha|luôn))*|(?:ừ|ok|oke|vâng|dạ|được|đúng|chuẩn|hay|tốt|rồi),? ?(?:rồi|đó|thế|vậy)?,? ?(?:làm tiếp|tiếp tục|tiếp|làm|triển khai|theo|cứ thế)(?: (?:đi|nhé|nha|luôn|hướng đó|vậy|thế|như vậy))*",
    refuses=r"(?:không|ko|thôi|khoan|đừng|khỏi|chưa)\b",
    overrides=r"\b(?:thay vì|chứ không|chứ ko)\b",
    amends=r"nhưng|mà|trừ|ngoại trừ|tuy nhiên|chỉ|không|ko|khoan",
)
