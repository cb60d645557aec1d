"""Vietnamese rules: how things are to be, said as plainly as if they were so ("tuần bắt đầu từ thứ Hai").

Reports and complaints have the same form, so none counts in a sentence that `TELLS`.
"""

from awf_archive.domain.decisions.text_cues.shape import RULE, Cue

_NOBODY = (
    r"(?!(?:mình|tôi|tui|tớ|bạn|nó|vậy|thế|này|đó|sao|tại|vì|hay|ai|cái này|cái đó|lỗi|theo|hình như|chắc)\b)"
)
_SUBJECT = rf"{_NOBODY}\S+(?: (?!(?:mình|tôi|bạn|mà|vì|sao)\b)[^\s,;]+){{0,8}}?"
_DOES = (
    r"(?:dùng|lấy|bỏ|giữ|cho|không|ko|k|chặn|lưu|để|tính|trả|ẩn|hiện|báo|coi|ghi|chỉ|phải|được|đẩy|khoá|khóa|gọi|tự|gom|gộp|cắt|vẫn|"
    r"chạy|gửi|đổi|chuyển|viết|đặt|in|mở|xoá|xóa|thôi|khỏi|là|về|theo|nằm|sang|vào|lên|chồng|hỏi|dừng|tắt|bật|huỷ|hủy|có|mới|toàn|một|1)"
)

RULES = (
    # Trong trường hợp nào thì thế nào.
    Cue("thì ", rf"{_SUBJECT} <>(?:\S+ ){{0,3}}?{_DOES}\b.*", "user", RULE),
    # Tất cả, mỗi, không ai, luôn.
    Cue(
        "tất cả|mọi |mỗi |toàn bộ|đều |cũng |luôn|hết |không bao giờ|bất kỳ|một lần|cùng |còn nguyên|nguyên",
        r"(?!mình\b|tôi\b|bạn\b)(?:(?!mình|tôi|bạn|mà)\S+ ){0,9}?<>\b.{2,}",
        "user",
        RULE,
    ),
    # Chỉ, thôi, đủ.
    Cue("chỉ |thôi|là đủ|là được", r"(?!mình\b|tôi\b)(?:(?!mình|tôi)\S+ ){0,9}?<>.*", "user", RULE),
    # Bỏ đi, dẹp đi, lấy lại.
    Cue(
        "bỏ đi|bỏ luôn|dẹp|lấy lại|lấy bộ|đổi thành|đổi sang|chuyển sang|giữ nguyên|để nguyên|bỏ hẳn",
        r"(?:(?!mình|tôi)\S+ ){0,7}?<>\b.*",
        "user",
        RULE,
    ),
    # Bao nhiêu.
    Cue(
        "0|1|2|3|4|5|6|7|8|9|một |hai |ba |bốn |năm |nửa ",
        r"(?!mình\b|tôi\b|lỗi\b)(?:(?!mình\b|tôi\b|dòng\b|lỗi\b)\S+ ){0,8}?<>\S* ?(?:phút|giây|giờ|tiếng|ngày|tuần|tháng|lần|ký tự|kí tự|chữ|số|px|mb|gb|%|p|g|s|cột|dòng|trang|người|lượt|độ|cm|mm|k)\b.*",
        "user",
        RULE,
    ),
    # Không có cái này.
    Cue(
        "không |ko |khỏi |cấm |đừng |chứ ",
        r"<>(?!hiểu|biết|chạy|được|lên|ra\b|vào|có gì|sao|thấy|phải|lo|cần lo|ổn|rõ|chắc|tìm)\S.{2,}",
        "user",
        RULE,
    ),
    # Trợ lý chọn cách này, không phải cách kia.
    Cue(
        "chứ không|chứ đừng|thay vì|thay cho|mà không|hơn là|mà gọi|không phải ",
        r"(?!(?:lỗi|kết quả|nếu|nguyên nhân|đây|bạn)\b)\S.{3,110}?<> ?\S.{2,}",
        "assistant",
        RULE,
    ),
    Cue(
        "không|chưa|khỏi|bỏ hẳn|bỏ qua",
        r"(?!(?:lỗi|kết quả|nếu|nguyên nhân|đây|bạn|bước)\b)\S.{6,90}?(?:, (?:và )?|; )<> (?:chép|huỷ|hủy|kéo|lưu|tự|chạy bù|nằm|bọc|ghi|gửi|dùng|thêm|mở|đụng|động|sửa|xoá|xóa|đổi|tạo|cho|gọi|hiện|giữ|làm|tính|chặn|báo|in|tải|đồng bộ|lệ thuộc|phụ thuộc)\b.*",
        "assistant",
        RULE,
    ),
    # Nói vì sao, hay để làm gì.
    Cue(
        "vì|do|bởi|để |nhờ|tránh|khỏi|cho đỡ|cho dễ|cho gọn|cho tiện|kẻo|nên |nếu không|như vậy|như thế",
        r"(?!(?:lỗi|kết quả|nếu|nguyên nhân|đây|bước|hiện|bạn|lý do|cảnh báo|máy|bảng)\b)(?:mình |tôi |em )?\S.{3,110}?(?:, |; | – |\. )<> (?!vậy|đó|thế)\S.{2,}",
        "assistant",
        RULE,
    ),
    Cue(
        "để không|để khỏi|để tránh|để sau này|để người|để dễ",
        r"(?!(?:lỗi|nếu|bạn)\b)\S.{8,110}?<> \S.{2,}",
        "assistant",
        RULE,
    ),
    # Giữ, bỏ, để lại, hay luôn như vậy.
    Cue(
        "giữ ở|giữ nguyên|vẫn để|vẫn giữ|chỉ giữ|chỉ gửi|chỉ ghi|chỉ mở|chỉ lưu|chỉ hiện|luôn coi|luôn nằm|luôn ở|bị bỏ qua|chưa động|chưa đụng|không đụng|không động|tự động|tối đa|mặc định là|giới hạn",
        r"\S.{0,100}?<>\b.*",
        "assistant",
        RULE,
    ),
    # Mình làm cách này.
    Cue(
        "nâng|lấy|đảo|ghim|thay|cài|chuyển|chọn|ưu tiên|đề nghị|nghiêng|để|gộp|tách|dùng|đặt|giới hạn|lưu|giữ|bỏ",
        r"(?:mình|tôi|em)(?: vẫn| luôn| sẽ| đã)? <>(?: luôn| việc| cách)? (?!lại|thử|giúp|ý)\S.{2,100}?(?:,| vì | chứ | ở | làm |:| để | cho ) ?\S.*",
        "assistant",
        RULE,
    ),
)

TELLS = (
    r"\b(?:hôm qua|hôm nay|hôm trước|sáng nay|(?:lúc|hồi|khi) nãy|vừa rồi|bị (?!bỏ qua|khoá|khóa|xoá|xóa|ẩn|chặn|từ chối|trả|huỷ|hủy)|(?<!mã\s)(?<!dòng\s)(?<!báo\s)lỗi|bug|hình như|chắc là|hồi trước|lần trước|"
    r"không hiểu|chưa hiểu|chưa biết|không biết (?:do|vì|sao|có|làm)|ko hiểu|mình nhớ|tôi nhớ|em nhớ|giúp (?:mình|em|tôi|t|m|e|anh|cái)|giùm|giải thích (?:giúp|kỹ|cho)|liệt kê|kiểm tra (?:giúp|lại|xem|thử|kỹ)|"
    r"check|tóm tắt|xem (?:giúp|lại|xem|thử|coi)|cho (?:mình|em|tôi|m|e|t) (?:hỏi|xin|xem)|cảm ơn|cam on|xin lỗi|chào|trời ơi|ghê|buồn|mất (?:\d+|cả|gần)|mình tính|mình định|mình nghi|nghi là|mình thử|em thử|"
    r"đã thử|chạy thử|thử xem|thử coi|đang bị|đang phân vân|hiện (?:tại|giờ) (?:đang|vẫn|nó|mình|bị)|tự nhiên|vẫn (?:chưa|không|bị|lỗi)|(?:sếp|chị|anh|thầy|cô|khách|người ta|bạn mình|ba|mẹ|thấy|nghe)(?: \S+)?(?: \S+)? (?:bảo|nói|đòi)|"
    r"thấy nó|hơi rối|báo cáo lại|nói mình nghe|nói chỗ|đọc (?:hết|lại|file|cái)|hỏi lại|mình tự|bỏ qua tin|rồi báo|review giúp|commit lại)\b"
    r"|^\W*(?:tại|do|nếu|sao|nhìn|đọc|tìm|thật ra|cái này|vậy là)\b"
)
