"""What is said in chats and says nothing: openers, announcements, offers, in three languages. Data, not rules."""

import re

_OPENER_LINES = r"""
sure(?: thing)?
perfect
awesome
wonderful
ok(?:ay)?
alright
certainly
absolutely
of course
yes
yep
yeah
no problem
(?:great|good|excellent|fair|nice)(?: [a-z]+)?
got it
thanks[^,.!—–:]{0,40}
thank you[^,.!—–:]{0,40}
you(?:'|’)?re (?:absolutely |totally |completely )?(?:right|correct)
sorry[^.,!—–]{0,60}
ah|ha|oh|hmm+|huh|wow
interesting
hi(?: there)?|hello|hey
short answer
all set
done
exactly(?: right)?
understood
wait
actually
progress complete
i see
right
found it
please
vâng|dạ
chắc chắn(?: rồi)?
được(?: rồi)?
tuyệt(?: vời)?
oke?|okê
hoàn hảo
đúng(?: rồi| vậy)?
cảm ơn[^.,!]{0,40}
xin lỗi[^.,!]{0,60}
(?:xin )?chào(?: bạn| anh| chị| các bạn)?
tốt lắm
hiểu rồi|rõ rồi
tất nhiên(?: rồi)?
xong(?: rồi)?
à|ừ
好的?
当然(?:可以)?
没问题
明白了?
收到
太好了
很好
是的
对的?
可以的?
抱歉
对不起
谢谢[^，。！]{0,20}
[您你]好
嗯
完美
不客气
了解
完成了?
"""
_OPENERS = "|".join(filter(None, _OPENER_LINES.split("\n")))
"""What opens a sentence and may go: one a line."""

_OPENER = re.compile(rf"(?i)^(?:{_OPENERS})\s*(?:[!,.:;…~—–，。！：；～]+|\s-)[\s!.。！]*")
_SPOKEN = re.compile(
    r"(?i)^(?:ok|oke|okê|okay|yes|yeah|yep|vâng|dạ)(?: (?:thế|vậy|then|so|please))?[,.]?\s+(?=\w)"
)
_ONLY_OPENER = re.compile(rf"(?i)^(?:{_OPENERS})[\s!.?~。！？～]*$")

_EMPTY = re.compile(
    r"""(?ix)^(?:
    let(?:'|’)?s?\ me\b
    |let(?:'|’)s\ (?:see|check|look|start|begin|continue|move|first|now)
    |(?:now|first|next|then|so|and|but|also|finally|okay|alright)?,?\ ?i(?:
        (?:'|’)ll|\ will|(?:'|’)m\ (?:going|about)\ to|\ am\ going\ to|\ need\ to|\ should|\ want\ to
        |(?:'|’)d\ (?:like|love|be)|\ can\ (?:help|now\ see|see)|\ have\ (?:everything|enough|all)
        |\ have\ a\ (?:clear|good|complete)|\ now\ (?:have|see|understand)|\ understand|\ hope|\ see
    )\b
    |now\ (?:let|i\b)|(?:first|next|then),?\ let
    |(?:here|below)(?:'|’)?s?\ (?:is|are|the|a|an|my|your|how|what)\b
    |(?:now\ )?(?:moving|checking|looking|reading|searching|verifying|investigating|exploring)\b
    |(?:would|do|did)\ you\ (?:like|want|need|have\ any)|want\ me\ to|should\ i\b|shall\ (?:i|we)\b|may\ i\b
    |if\ you(?:(?:'|’)d|(?:'|’)re|\ (?:want|need|like|prefer|have|see|hit|run\ into))
    |(?:please\ )?let\ me\ know|feel\ free|hope\ (?:this|that)|is\ there\ anything|anything\ else
    |happy\ to|glad\ to|good\ luck|enjoy
    |(?:this|that|it)\ (?:is|was|looks|sounds)\ (?:great|perfect|good|excellent|a\ great)|(?:looks|sounds)\ good
    |to\ summari[sz]e|in\ summary|just\ to\ (?:confirm|clarify)|to\ (?:do|accomplish)\ (?:this|that)
    |add\ file\ to\ the\ chat|.*\(y\)es/\(n\)o|press\ |type\ |caveat:
    |you\ can\ (?:now\ )?(?:run|use|test|try)\b|the\ user\ (?:wants|asked|is\ asking)
    |two\ (?:great|good)|one\ (?:more\ )?(?:thing|moment)|(?:more|some)?\ ?things?\ to\ (?:note|consider)
    |[\w\s/-]+(?:is|are)\ (?:as\ follows|below)
    |(?:tôi|mình|em)\ (?:sẽ|xin|có\ thể\ giúp|rất\ vui|đang|cần\ (?:xem|kiểm)|hiểu|nên)|để\ (?:tôi|mình|em)\b
    |hãy\ (?:để|cùng)|(?:bây\ giờ|giờ|trước\ tiên|đầu\ tiên|tiếp\ theo),?\ (?:tôi|mình|em|hãy|để)
    |(?:dưới|sau)\ đây\ là|bạn\ có\ (?:muốn|cần)|nếu\ (?:bạn|anh|chị)\ (?:cần|muốn|có|gặp)|hy\ vọng|chúc\ bạn
    |(?:hãy\ )?cho\ (?:tôi|mình)\ biết
    |我来|我(?:将|会|先|要|现在|马上|这就|来)|让我|(?:下面|以下)(?:是|我)|现在(?:我|让我|来|开始)
    |(?:首先|接下来|然后)，?(?:我|让我)|如果[您你](?:需要|想|还|有|愿意)|希望(?:这|对|能)|请告诉我|请问还
    |(?:是否)?需要我|要不要我|[您你]还?(?:需要|想要|可以告诉)|还有(?:什么|其他)|有(?:什么|任何)(?:问题|需要)
    )"""
)
"""How a sentence begins that only announces, offers, asks whether to go on, or points at what follows."""


def plain(sentence: str) -> str:
    """Return a sentence without its openers, or nothing when it only announces, offers or greets.

    >>> plain("Great catch! Done — added the CLI installer."), plain("I'll help you with that.")
    ('Added the CLI installer.', '')
    >>> plain("Vâng, đã sửa lỗi đăng nhập."), plain("Tôi sẽ giúp bạn sửa lỗi này.")
    ('Đã sửa lỗi đăng nhập.', '')
    >>> plain("好的，已修复登录错误。"), plain("好的，我来看看。")
    ('已修复登录错误。', '')
    """
    rest = sentence.strip(" -–—*_")
    for _ in range(4):
        if _ONLY_OPENER.match(rest) or _EMPTY.match(rest):
            return ""
        shorter = _SPOKEN.sub("", _OPENER.sub("", rest, count=1), count=1)
        if shorter == rest:
            break
        rest = shorter.strip()
    return capital(rest) if rest != sentence.strip() else rest


_PLAIN_WORD = re.compile(r"[^\W\d_A-Z]+(?:['’][a-z]{1,2})?(?=[\s,;.!?]|$)")


def capital(sentence: str) -> str:
    """Begin a sentence with a capital, unless its first word may be a name of code."""
    return sentence[:1].upper() + sentence[1:] if _PLAIN_WORD.match(sentence) else sentence
