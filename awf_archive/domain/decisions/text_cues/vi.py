"""Vietnamese, with its marks."""

from awf_archive.domain.decisions.text_cues.shape import FIRM, LIKELY, Cue, Cues

_USE = r"(?:dùng|sử dụng|xài|áp dụng|chọn|lấy|theo|chốt|giữ|đi theo|đi với)"
_DO = (
    r"(?:dùng|sử dụng|xài|áp dụng|chọn|lấy|theo|chốt|giữ|làm|viết|lưu|để|đặt|gọi|tách|gộp|tạo|chạy|cài|triển khai|hiển thị|"
    r"trả về|đưa|gửi|thêm|bỏ|chuyển|ghi|tính|cho|xử lý|kiểm tra|build|deploy|import|test|cache|render)"
)
_NOT = r"(?:đừng|không|ko|k|khỏi|thôi không|thôi khỏi|bỏ|không cần|ko cần|khỏi cần|không nên|dẹp)"
_OVER = (
    r"(?:thay vì|thay cho|chứ không(?: phải)?|chứ ko(?: phải)?|hơn là|mà không phải|thay thế cho|chứ đừng)"
)
_WE = r"(?:mình|tôi|tui|tớ|em|anh|chúng ta|chúng mình|chúng tôi|bọn mình|ta|team|nhóm|bên mình|bên em)"

CUES = Cues(
    language="vi",
    needs=r"[a-z]",
    seeds=(
        "thay vì",
        "thay cho",
        "thay thế",
        "chứ không",
        "chứ ko",
        "chứ đừng",
        "hơn là",
        "mà không phải",
        "quyết định",
        "chốt",
        "thống nhất",
        "chuyển sang",
        "đổi sang",
        "thay bằng",
        "từ giờ",
        "từ nay",
        "từ bây giờ",
        "kể từ",
        "về sau",
        "sau này",
        "theo hướng",
        "theo phương án",
        "theo cách",
        "chọn",
        "cố ý",
        "cố tình",
        "chủ động",
        "không dùng",
        "đừng dùng",
        "khỏi",
        "dùng luôn",
        "mình sẽ",
        "mình dùng",
        "tôi dùng",
        "tôi sẽ",
        "đề xuất",
        "khuyên",
        "gợi ý",
        "khuyến nghị",
        "đề nghị",
        "nghiêng về",
        "nên ",
        "mình làm",
        "mình giữ",
        "mình không",
        "tôi giữ",
        "tôi không",
        "mình lưu",
        "mình viết",
        "mình để",
    ),
    openers=r"ok|oke|okay|okie|oki|ừ|uh|ừm|um|vâng|dạ|được|dc|đc|rồi|thôi|vậy|thế|thế thì|vậy thì|nhưng|mà|nên|và|à|ơ|hmm|không|ko|"
    r"thì|giờ|bây giờ|cứ|hãy|hay là thôi|trước mắt|tạm thời|tạm|cho nên|do đó|vì vậy|vì thế|"
    r"mình|tôi|tui|em|anh|bạn|chúng ta|chúng mình|bọn mình|team|bên mình|ta|nhớ|nhé|sẽ|đã|cần|phải|nên|muốn|thích|nghĩ là|nghĩ nên|"
    r"thấy nên|nghĩ|cuối cùng|lần này|phần này|cái này|ở đây|chỗ này|hợp lý|tốt|hay|làm ơn|giúp|thật ra|"
    r"tất cả|đều|cũng|chỉ|chỉ cần|luôn|lại|đi|nha",
    joint=r",? ",
    breaks=r"nhưng|nên|vậy|và|mà|nhớ là|nhớ",
    cues=(
        Cue(rf"{_DO} (?P<chosen>\S.{{0,120}}?) {_OVER} (?P<refused>\S.{{0,100}})", "", FIRM),
        Cue(rf"{_OVER} (?P<refused>\S.{{0,80}}?),? (?:thì )?{_DO} (?P<chosen>\S.{{0,80}})", "user", FIRM),
        Cue(
            rf"(?:{_OVER} )?{_NOT} {_USE}? ?(?P<refused>\S.{{0,60}}?)(?: nữa)?[,;:.\-– ]+(?:mà |hãy |cứ |thì |chỉ ){{0,2}}(?:{_USE}|chuyển sang|chuyển qua|đổi sang|thay bằng)(?: luôn| thẳng| hẳn)? (?P<chosen>\S.{{0,80}})",
            "user",
            FIRM,
        ),
        Cue(
            r"(?:chuyển|đổi|quay)(?: hẳn| luôn| hết| lại| về)?(?: \S{1,20}){0,3}? (?:sang|qua|về)(?: dùng| xài)? (?!tab|trang|màn|bước|branch|nhánh|phần|task)(?P<chosen>\S.{0,80})",
            "user",
            LIKELY,
        ),
        Cue(r"thay(?: thế)? (?P<refused>\S.{0,60}?) (?:bằng|thành) (?P<chosen>\S.{0,80})", "user", LIKELY),
        Cue(
            r"(?:đã |sẽ |tự )?quyết định(?: là| rằng| sẽ| cuối cùng)?(?::| )(?!này|đó|kia|của|như|nào|gì|xem|sau) ?\S.{2,}",
            "",
            FIRM,
        ),
        Cue(
            r"(?:đã |sẽ )?chốt(?: lại| luôn| là| phương án| cách| hướng| dùng)?(?::| )(?! *(?:chưa|nào|gì|sau|vậy|thế|luôn|đi|nhé|nha|cái này|như vậy|như thế)) ?\S.{2,}",
            "",
            FIRM,
        ),
        Cue(
            r"(?:đã |sẽ )?thống nhất(?: là| rằng| sẽ| dùng| theo| chọn)?(?::| )(?!với|giữa|trong|toàn|chưa|dữ liệu|giao diện) ?\S.{2,}",
            "",
            FIRM,
        ),
        Cue(
            r"(?:từ giờ|từ nay|từ bây giờ|kể từ giờ|về sau|sau này)(?: trở đi| về sau)?,? \S.{4,}",
            "user",
            FIRM,
            is_marked=True,
        ),
        Cue(
            r"(?:ưu tiên|chọn|chốt|lấy) (?!nào|gì|file|tab|ảnh|ra\b|từ|dữ liệu|thông tin|vậy|thế|như)(?P<chosen>\S.{0,100})",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:dùng|sử dụng|xài|áp dụng) (?:luôn |thẳng |hẳn |tạm |đúng )?(?!gì|nào|được|hết|để\b|thử)(?P<chosen>\S.{0,100})",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(r"(?:dung|su dung|xai) luon (?P<chosen>\S.{0,100})", "user", FIRM),
        Cue(
            r"(?:đừng|không|khỏi|ko) (?:nên )?(?:dùng|sử dụng|xài) (?P<refused>\S.{0,80})",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:không cần|ko cần|khỏi cần|khỏi) (?!lo|ngại|nói|phải nói)\S.{3,80}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:giữ|giữ nguyên|để nguyên|bỏ|bỏ hẳn|bỏ luôn|bỏ qua) (?!lỡ|ra\b|vào|lại)\S.{3,80}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:luôn luôn|luôn|bắt buộc|không được|không bao giờ|tuyệt đối không|mặc định) \S.{4,100}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:chuyển|đổi|quay)(?: \S{1,20}){0,4}? (?:sang|qua|về) (?:dùng|xài) (?P<chosen>\S.{0,80})",
            "user",
            FIRM,
        ),
        Cue(r"(?:để )?mặc định (?:là|để|bằng) \S", "user", LIKELY),
        Cue(r"(?:viết|làm|code|lưu|build) bằng (?P<chosen>\S.{0,60})", "user", LIKELY, is_marked=True),
        Cue(r"đi theo (?:hướng|phương án|cách) (?!nào|này|đó)\S.{2,}", "", LIKELY),
        Cue(
            rf"{_WE} (?:sẽ |đã |vừa )?(?:chọn|chốt|quyết|dùng|giữ|lấy) (?P<chosen>\S.{{0,100}}?),? (?:vì|bởi|do|để|nhằm) \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:đã )?(?:chọn|chốt) (?!file|tab|nào|gì)(?P<chosen>\S.{0,100}?),? (?:vì|bởi|do|thay) \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:\S+ ){0,3}(?:cố ý|cố tình|chủ động) (?:giữ|để|không|bỏ|dùng|chọn|tách) \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            rf"{_WE} (?:xin )?(?:đề xuất|khuyên|gợi ý|khuyến nghị|đề nghị|nghiêng về|nghĩ nên) \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            rf"{_WE} (?:sẽ |đang )?(?:làm|lưu|viết|dựng|để|đặt|dùng|tách|gom) \S.{{0,60}} (?:bằng|dưới dạng|theo) \S",
            "assistant",
            LIKELY,
        ),
        Cue(r"nên (?:dùng|chọn|tách|giữ|lưu|để|bỏ) \S", "assistant", LIKELY),
        Cue(r"(?:\S+ ){1,6}(?:phải|không được|bắt buộc) \S.{3,}", "user", LIKELY, is_marked=True),
        Cue(r"(?:bỏ|dẹp) (?:hẳn |luôn |bớt )?(?!qua bước|lỡ)\S.{2,60}", "user", LIKELY, is_marked=True),
        Cue(
            r"(?:\S+ ){1,6}(?:theo dạng|theo kiểu|dạng|đánh theo|đặt là|gọi là) \S.{2,}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:không|đừng|ko|chưa|khoan) (?:đụng|động|chạm|làm|thêm|in|hiện|gửi|lưu|bật|mở|bán|cho) \S.{2,}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:thôi )?để (?:đó |lại |sang )?(?:bàn |làm |tính )?(?:sau|quý sau|tháng sau|tuần sau|bản sau)\b.{0,40}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:\S+ ){1,8}?thì (?:dùng|lấy|bỏ|giữ|cho|không|chặn|lưu|để|tính|trả|ẩn|hiện)\b.{0,120}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(r"chỉ (?:cần|dùng|lấy|giữ|làm|để|cho) \S.{3,}", "user", LIKELY, is_marked=True),
        Cue(r"(?:không |ko |chưa )?muốn (?!hỏi|biết|xem|nhờ)\S.{3,}", "user", LIKELY),
        Cue(r"chỉ cần \S.{3,}", "user", LIKELY),
        Cue(r"\S.{2,60}? (?:là được|là đủ|là ok)$", "user", LIKELY, is_marked=True),
        Cue(
            r"(?:cho phép|không cho|cấm|chặn|ẩn|giới hạn|tối đa|tối thiểu|yêu cầu|tự động) \S.{2,}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(r"(?:tạm thời|trước mắt|tạm) (?!thời\b|ổn|nghỉ|dừng)\S.{3,}", "user", LIKELY, is_marked=True),
        Cue(r"(?:chưa cần|chưa làm|khoan làm|để sau|tính sau) \S.{2,}", "user", LIKELY, is_marked=True),
        Cue(
            rf"{_WE} (?:sẽ |đã |cũng )?(?:giữ|giữ nguyên|không|chưa|bỏ) (?!thấy|tìm|biết|chắc|thể|có)\S.{{3,}}",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:\S+ ){0,8}?(?:tối đa|tối thiểu|mỗi|hết hạn|retry|timeout|giới hạn|không quá|ít nhất|trong vòng) (?:\S+ ){0,5}?\d+\S*.{0,60}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"chỉ \S.{1,20}? (?:mới )?(?:được|có quyền|xem|sửa|xoá|xóa|thấy)\b.{0,60}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:\S+ ){0,6}?(?:để|cho|qua|sang) (?:v\d|bản sau|phase \S+|giai đoạn \S+|đợt sau|tuần sau|tháng sau|quý sau)\b.{0,40}",
            "user",
            LIKELY,
            is_marked=True,
        ),
        Cue(
            r"(?:\S+ ){0,4}?v\d (?:mới|hẵng|rồi|hãy) (?:làm|tính|thêm)\b.{0,40}",
            "user",
            LIKELY,
            is_marked=True,
        ),
    ),
    doubts=r"^\W*(?:ví dụ|chẳng hạn)|\b(?:nếu|giả sử|có lẽ|có thể|hay là|hoặc là|(?<!dữ\s)(?<!tài\s)(?<!vật\s)(?<!nhiên\s)liệu|chưa (?:\S+ )?(?:quyết|chốt|thống nhất|chọn)|chờ (?:\S+ )?(?:quyết|chốt)|"
    r"(?:không|ko|để|cần|phải|nên|bạn|anh|chị|em|sếp|khách|giúp\S*|khi|trước khi|sau khi|hãy|việc|sự|ra|các|những|một số|mấy) (?:\S+ )?quyết định(?! (?:dùng|chọn|là))|"
    r"thử xem|(?<!quyết\s)định dùng|tính dùng|lẽ ra|đáng lẽ|cân nhắc|xem xét|nghĩ sao|tùy|tuỳ)\b",
    asks=r"\b(?:gì|nào|sao|bao giờ|bao nhiêu|thế nào|như nào|phải không|được không|đúng không|có nên|vì sao|tại sao|làm sao|hay là|ra sao|"
    r"hả|nhỉ|à|chưa|không|ko|hông)\s*$|\b(?:có nên|vì sao|tại sao|làm sao|làm thế nào|bao nhiêu|là gì|như thế nào)\b",
    weighs=r"\b(?:nên|hay|gì|nào|bao nhiêu|mấy|không|ko|k|chưa|sao|đâu|được)\b",
    leaves=r"\b(?:có thể .*(?:hoặc|hay)|hoặc (?:là )?|(?:hai|ba|mấy|vài|2|3) (?:cách|phương án|hướng))\b",
    requests=r"^\W*(?:bạn|em|anh|mày) (?:có thể )?(?=(?:đổi|chuyển|thay|dùng|bỏ|giữ).{1,120}(?:giúp|được không|nhé|đi))",
    works=r"^\W*(?:(?:ok|oke|rồi|giờ|thôi|hãy|và|ừ|vâng|được|dạ|cứ|bạn|em|tiếp|thế|thì|bây giờ),? ){0,4}(?:chạy|test|commit|push|xem|kiểm tra|sửa|thêm|viết|làm|đo|giải thích|tiếp|tạo|git|cảm ơn|tốt|mở|đọc|"
    r"check|deploy|merge|gửi|cho (?:tôi|mình|em|anh)|up|review|tóm tắt|hướng dẫn|fix|lỗi|ok|oke|vẫn|ghi|tuyệt|hay|đúng|chào|mai|haha|rồi|xong)\b",
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
    r"(?: (?:đi|nhé|nha|luôn|em|anh|ạ|là được|là ổn|hợp lý|ok|này|trước))*",
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
    alternatives=r" (?:hay|hoặc) ",
    fillers="la va voi cho cua o trong de thi ma nen nhe nha di luon thoi vay the nay do kia cai phan minh toi tui em anh ban chung ta "
    "se da dang dung su xai ap chon lay theo chot giu quyet dinh thong nhat thay vi bang chuyen sang qua ve khong "
    "ko khoi dung bo can nua chu hon hay hoac cung chi deu het ca mot cac nhung duoc co lam nhu",
    denies=r"\b(?:không|ko|đừng|khỏi|bỏ|chưa|dẹp|chẳng)\b",
    consents=r"(?:cứ |thì |ừ |ok )?(?:theo|nghe|làm theo) (?:ý |đề xuất |gợi ý |cách |phương án )?(?:của )?(?:em|bạn|mày|đó|này)(?: (?:đi|nhé|nha|luôn))*|(?:ừ|ok|oke|vâng|dạ|được|đúng|chuẩn|hay|tốt|rồi),? ?(?:rồi|đó|thế|vậy)?,? ?(?:làm tiếp|tiếp tục|tiếp|làm|triển khai|theo|cứ thế)(?: (?:đi|nhé|nha|luôn|hướng đó|vậy|thế|như vậy))*",
    refuses=r"(?:không|ko|thôi|khoan|đừng|khỏi|chưa)\b",
    overrides=r"\b(?:thay vì|chứ không|chứ ko)\b",
    amends=r"nhưng|mà|trừ|ngoại trừ|tuy nhiên|chỉ|không|ko|khoan",
)
