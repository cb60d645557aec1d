"""What a chat tool calls a session when it knows nothing of it, in three languages. Data, not rules.

Each line is matched against a whole title in lower case, without marks and what stands around it; so Vietnamese is
written without marks.
"""

import re
from collections.abc import Mapping

from awf_archive.domain.fold import fold

WEAK_TITLES: Mapping[str, str] = {
    "a tool's name for what has none": r"""
((a |my )?(new|untitled|unnamed|empty|default) )?(chat|conversation|session|thread|discussion)s?( \d+)?
(new|untitled|default) (agent|composer|prompt|tab|window|task|note)( \d+)?
(new|untitled|unnamed|no (title|name)|none|null|undefined|unknown|default|tests?|testing)( \d+)?
(claude( code)?|codex|gemini|cursor|(github )?copilot|chatgpt|aider|opencode)( cli)?( (chat|session|history|log))?
(chat|conversation|session) (with (claude|chatgpt|gemini|copilot|ai)|log|history|transcript|export)
(cuoc |doan |phien )?(tro chuyen|hoi thoai|chat|phien|lam viec)( moi)?( \d+)?
(khong|chua) (co |dat )?(tieu de|ten)|thu( nghiem)?
(新的?|新建|未命名的?|无标题的?|默认)?(对话|聊天|会话|话题)\d*
未命名|无标题|没有标题|默认|测试\d*|新建
""",
    "a greeting or thanks": r"""
(hi|hello|hey|good (morning|afternoon|evening|day))( (there|all|everyone|team|again|world|claude|codex|gemini))?
(many )?(thanks|thank you|thx|cheers)( (a lot|so much|very much|again))?|bye|goodbye
((friendly|simple|casual|initial) )?greetings?( exchange)?|how are you( doing)?( today)?
(xin )?chao( (ban|anh|chi|em|moi nguoi|buoi (sang|chieu|toi)|claude))?|a ?lo|loi chao|tam biet
(xin )?cam on( (ban|anh|chi|em))?( (rat )?nhieu)?
[你您]好[啊呀吗]?|大家好|嗨|哈[喽啰罗]|早上好|下午好|晚上好|谢谢[你您]?|多谢|再见|问候|打招呼
""",
    "going on, or agreeing": r"""
((yes|yeah|yep|ok(ay)?|sure|great|good|perfect|cool|nice|please|and|now|then|let'?s|thanks),? ?)+
((yes|yeah|ok(ay)?|sure|please|and|now|then|let'?s),? ?)*(continue|resume|proceed|go (ahead|on)|next)( please)?
((yes|yeah|ok(ay)?|sure|please|and|now|then|let'?s),? ?)*(do (it|that|this|so)|go( for it)?|try again|retry)( please)?
((can|could|shall) we )?(please )?(continue|resume|pick up|go on)( from)? where (we|you|i) (left|stopped)( off)?
(ok(e|ay)?|vang|da|u|roi)?,? ?(hay |cu |lam )?tiep( tuc)?( (di|nhe|nao|cong viec))*
(ok(e|ay)?|vang|da),? ?(lam di|duoc( roi| do)?|dong y|dung( roi)?|lam (nhu )?vay di)?
lam di|duoc( roi| do)?|dong y|dung( roi)?|lam (nhu )?vay di|thu lai
(好的?|是的?|对|嗯|行|可以|同意|没问题|请)?[，,、 ]*(继续(吧|做|执行|下去|上次的?(工作|对话|任务)?)?|接着(做|来)?)
好[的吧]?|是的?|对的?|行吧?|可以的?|同意|没问题|就这样(做|吧)?|重试|再试(一次|试)?|下一步|开始吧?
""",
    "a command alone": r"""
[/!$][\w:.-]+
""",
    "a file, a folder or an address alone": r"""
@[\w./\\~-]+
([\w.~@-]*[/\\])*[\w.@()-]*\.[a-z][a-z0-9]{0,5}
(~|\.{1,2})?(/[\w.@-]+)+/?|[a-z]:\\\S+|https?://\S+
(image|screen ?shot|img|anh( chup man hinh)?|图片|截图|屏幕截图)[ _#-]*[\d_.:-]*( at [\d.:]+)?(\.\w{3,4})?
""",
    "an id or a date": r"""
[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}
(?=[a-f]*\d)[0-9a-f]{7,64}
(ses|session|chat|thread|conv|conversation|rollout|composer|agent|task)[-_](?=[\w.:-]*\d)[\w.:-]+
\d{4}-\d\d-\d\d[t_ ]?[\d:._-]*z?|[\d\s:./,-]+(am|pm|utc|z)?
""",
}
"""By what they are: a regular expression a line."""

_WEAK = re.compile("|".join(row for rows in WEAK_TITLES.values() for row in rows.strip().split("\n")))
_AROUND = " .!?…。！？~～,，:：;；\"'“”‘’`*#()[]（）【】《》<>-–—_"


def is_weak(title: str) -> bool:
    """Whether a title tells nothing of what a session was about.

    >>> is_weak("New Chat"), is_weak("Tiếp tục đi"), is_weak("你好！"), is_weak("/init"), is_weak("Fix the login")
    (True, True, True, True, False)
    """
    bare = fold(title)
    return any(not one or _WEAK.fullmatch(one) is not None for one in (bare, bare.strip(_AROUND)))
