"""Words that tell nothing about what a turn was about, in three languages.

More than those that a search drops (`search.stop_words`): also what people say to an assistant all day.
"""

_ENGLISH = """
a about above actually add added after again all also always am an and another any are aren't as at back be
because been before being below best better between both but by call called came can can't cannot change changed
changes check come complete completed continue could couldn't create created current currently did didn't do
does doesn't doing don't done down each etc either else enough even ever every everything exactly example few
find fine first fix fixed following for found from full fully get gets getting give go goes going good got great
had has have haven't having he hello help her here hey hi him his how i i'd i'll i'm i've if implement
implemented in include included including instead into is isn't it it's its itself just keep kind know last let
let's like line lines little look looking looks made make makes making many may maybe me mean might more most
much must my myself need needed needs never new next no none not nothing now of off ok okay on once one only or
other others our out over own part per please possible problem proceed put question quick ready really right run
running same say see seems set several she should show shows since so some something still such sure take tell
test tests than thank thanks that that's the their them then there there's these they thing things think this
those though through to together too try two under understand until up update updated us use used user uses
using very via want wants was wasn't way we we'll we're we've well were what what's when where whether which
while who whole why will with within without won't work working works would yes yet you you'll you're you've
your file files code issue session sessions page pages step steps option options name type value path line
message project text data
"""
_VIETNAMESE = """
ai anh ạ à á bạn bao bây bên bị bởi các cách cái cần càng cả chỉ chị cho chưa chứ chúng có của cũng cùng cứ dù
dùng đã đang đây đó đến đều để đi điều định được đúng em gì giờ giúp giữa hay hãy hết hiện họ hơn hả hoặc khi
không khác kia là lại làm lên luôn lúc mà mình mỗi mọi một muốn mới này nào nên nếu ngay như nhưng nhé nhỉ những
nó nữa ở ơi phải qua ra rất rồi sao sau sẽ tại tất theo thêm thì thế thôi thể thật tôi tớ trên trong trước tới
từ từng và vào vẫn vậy về việc vì với vừa xem xin xong xuống ý oke okê ok ko k đc dc kìa ủa vầy hiểu biết nhờ
thử bằng bài sửa chạy file code còn được ngoài ra lắm mấy gán oki
"""
_HAN = """
我们 你们 他们 我的 你的 这个 那个 这些 那些 这里 那里 什么 怎么 怎样 如何 是不 不是 是否
可以 需要 应该 能够 已经 现在 然后 因为 所以 但是 如果 或者 以及 还是 就是 一个 一下 一些
没有 进行 使用 实际 上面 下面 里面 时候 知道 觉得 希望 帮我 请你 请帮 想知 谢谢 问题 请问
其实 这样 那样 以后 之后 之前 的话
"""
STOP_WORDS = frozenset(f"{_ENGLISH} {_VIETNAMESE} {_HAN}".split())

HAN_STOPS = frozenset(
    "的了是在和与或吗呢吧啊就都也把被为对这那我你他她它们请上下里个些有没不要会能可以"
    "还很从到由给让并而但且哪需等其及与之所以"
)
"""Characters that are in no Chinese term of two."""
