"""English rules: how things are to be, said as plainly as if they were so ("weeks start on Monday").

Reports and complaints have the same form, so none counts in a sentence that `TELLS`.
"""

from awf_archive.domain.decisions.text_cues.shape import RULE, Cue

_NOBODY = r"(?!(?:i|it|its|he|she|they|you|this|that|these|those|there|here|what|who|how|why|where|which|so|but|and|or|if|because|as|to|in my|on my|your|my|our|the (?:problem|issue|reason|question|tests?|bug|paper|docs?|rest))\b)"
_SUBJECT = rf"{_NOBODY}[^\s,;]+(?: (?!(?:i|you|that|which|what|because|to)\b)[^\s,;]+){{0,7}}?"
"""What a rule is about: no person who speaks, nothing pointed at."""

_BEHAVES = (
    "get|go|stay|live|move|belong|remain|sit|show|hide|close|open|start|end|return|take|win|count|carr|carry|appear|disappear|become|come|follow|"
    "use|keep|send|run|expire|accept|reject|read|write|store|save|fall|default|survive|abort|scroll|cap|kick|rise|reset|block|ignore|skip|"
    "begin|stop|turn|point|print|land|load|wait|fade|pause|sort|include|cover|forward|remember|speak|ship|have|has|beat|pass|find|happen"
)

_UNIT = (
    r"(?:-|–)?(?:px|ms|s|secs?|seconds?|mins?|minutes?|hours?|h|days?|d|weeks?|months?|years?|%|percent|[kmgt]i?b|chars?|characters|letters|digits|words|times|items|entries|rows|"
    r"columns|cols|lines|pages|results|people|users|attempts|tries|retries|strikes|workers|threads|slots|levels|steps|decimals|points|euros?|dollars|cents|fps|hz|khz|dpi|k|cm|mm|m|km)\b"
)

RULES = (
    # Whatever the case: every, never, nothing.
    Cue(
        "every|each|always|never|only|nothing|nobody|no one|none|whatever|whoever|everything|anything|all |both|any |at most|at least|no more",
        r"(?!i\b|you\b)(?:(?!i\b|you\b|that\b)\S+ ){0,9}?<>\b ?\S.{3,}",
        "user",
        RULE,
    ),
    # How a thing behaves.
    Cue(
        _BEHAVES,
        rf"{_SUBJECT} (?:don't |do not |doesn't |does not )?<>(?:e?s|ies)?\b(?:(?! (?:me|like)\b) \S.{{1,}}|(?=[,;]).*|(?<=s)$)",
        "user",
        RULE,
    ),
    Cue(
        "adds|allows|applies|asks|attaches|autoplays|blinks|brings|calls|cancels|clears|collapses|combines|continues|converts|copies|costs|creates|decides|deletes|depends|disables|displays|draws|drops|enables|enters|expands|"
        "exports|extends|fills|filters|floats|flips|gives|grows|handles|holds|imports|increases|inherits|inserts|joins|jumps|lasts|leaves|lets|links|lights|lists|logs|loops|makes|matches|merges|mutes|notifies|offers|opens|"
        "overlaps|parks|plays|pops|publishes|pulls|pushes|queues|redirects|refreshes|refuses|removes|renders|repeats|replaces|restarts|resumes|retries|reuses|reverts|rolls|rotates|rounds|selects|serves|shares|shrinks|"
        "slides|snaps|splits|spawns|stacks|stands|steps|sticks|supports|syncs|talks|throws|triggers|turns|updates|vanishes|vibrates|wakes|warns|wraps",
        rf"{_SUBJECT} (?:only |always |never |also |then )?<>\b(?! me\b).*",
        "user",
        RULE,
    ),
    # What is done with it, or what it is.
    Cue(
        "is |are |isn't|aren't",
        rf"{_SUBJECT} <> ?(?:\w+ly |not |also |then |all )?(?:\w+ed|kept|sent|drawn|put|made|cut|shown|hidden|set|read|run|built|\w+less|out|gone|fine|enough|plenty|overkill|optional|required|fatal|relative|by|in|on|at|from|per|a|an|the|no|just|\d\S*)\b.*",
        "user",
        RULE,
    ),
    # What one does or does not do.
    Cue(
        "i'm",
        r"<> (?:not (?:going (?:to|with)|using|adding|learning|doing|paying|supporting|putting)|leaving|keeping|dropping|skipping|sticking|staying)\b \S.*",
        "user",
        RULE,
    ),
    # What is allowed.
    Cue(
        "can |may |can't|cannot",
        rf"{_SUBJECT} <> ?(?!see|be seen|imagine|reproduce|confirm|tell)\S.{{2,}}",
        "user",
        RULE,
    ),
    # What there is not to be.
    Cue(
        "no ",
        r"<>(?!idea|problem|rush|hurry|need|way\b|clue|change|worries|thanks|one\b|matter|wonder|doubt|luck)\S.{2,}",
        "user",
        RULE,
    ),
    # This, and not that.
    Cue(
        "not ",
        r"\S(?:.{1,80}?),? <>(?:in |on |the |a |an |inside |per |by |from |with |over )?(?!sure|yet|that|because|really|important|clear|work)\S.{1,60}",
        "user",
        RULE,
    ),
    # How much of it.
    Cue(
        "0|1|2|3|4|5|6|7|8|9|two |three |four |five |ten |half ",
        rf"(?!i\b|you\b)(?:(?!i\b|you\b|that\b|line\b|issue\b|row\b|version\b)\S+ ){{0,7}}?<>\S*(?: ?{_UNIT}| (?:\S+ )?(?:per|at|each|across|deep|wide|long|high|max|for|after|until|then|to)\b).*",
        "user",
        RULE,
    ),
    # What we do.
    Cue(
        "we ",
        r"<>(?:only |just |always |don't |do not |never |still )?(?!need|have|had|are|were|want|think|saw|could|would|should|can|did|got|know|talk|once|use to|also need)\w+ \S.*",
        "user",
        RULE,
    ),
    # It is to be this one.
    Cue(
        " it is| it shall be| then|wins|will do|is enough|is plenty|is fine|are fine|are enough|would do|suffices|good enough",
        r"(?!that|this|it\b|all\b)\S.{2,80}?(?:(?!.then)<>\b.*| then$)",
        "user",
        RULE,
    ),
    # Said shortly: a thing, and what it is.
    Cue(
        ":|=|->",
        r"(?!answer|context|question|thanks|here|idea|note|update|background|tested)(?:[a-z-]+ ){0,3}[a-z-]+(?: ?: [^,]{2,}, \S.+| (?:=|->) \S.{2,})",
        "user",
        RULE,
    ),
    # Bring back, hardcode and other orders that shape the thing.
    Cue(
        "bring|hardcode|swap|freeze|pin|encrypt|restore|take|pick|put|hide|show|lose|kill|ditch|cut|limit|name|dont|don't|stop after|merge",
        r"<> (?!me\b|up\b|off\b|over\b|it to me|a look|anything|get me|care|know|worry|forget|a screenshot|the diff|us\b)\S.{2,}",
        "user",
        RULE,
    ),
    # And nothing besides.
    Cue(
        "that's it|thats it|that's all|thats all|that's the lot|nothing else|nothing in between|full stop|simple as that|no exceptions|end of story|and nowhere else",
        r"(?!i\b|that|this\b|it\b)\S.{2,120}?<>\W*$",
        "user",
        RULE,
    ),
    # One of those that were shown.
    Cue(
        "first|second|third|fourth|last|other|old|previous|option|'s way|way you",
        r"(?:the |your )?(?:<> (?:mockup|variant|version|design|sketch|draft|suggestion|idea|proposal|layout|one|palette|wording|order|way)\b(?! (?:is|was|has|doesn't|does|fails|works|i|you|that|to|in the|of)\b)|<> [\da-d]\b(?! (?:is|was|has|doesn't|does)\b)).*|\w+'s way\b.*",
        "user",
        RULE,
    ),
    # It never does so.
    Cue(
        "don't|doesn't|dont|doesnt|do not|does not",
        rf"{_SUBJECT} <> (?!work|show|load|open|appear|do\b|match|compile|run|exist|help|make|seem|look|know|have|need|see|understand|update|respond|fit|get|find|think|want|care|say|agree|start|build|pass|change|return|call|give|mean|support|come|trust|like|use to)\w+\b.*",
        "user",
        RULE,
    ),
    # An assistant chose, and says against what or why.
    Cue(
        "chose|picked|went|opted|capped|limited|kept|left|gave|dropped|stayed|pinned|made|fall back|carry|replaced|took|take |banned|settled|split|treat|ruled out",
        r"(?:i|we)(?:'ve| have| now)? (?:also |now |only |deliberately )?<>(?: for| with| on)? (?!a (?:closer )?(?:look|note|mistake|copy|backup|change)|sure\b|the (?:following|same)|through\b|over\b|back\b|ahead\b)\S.{3,140}?"
        r"(?:, (?:because|since|as|so that|so (?:a|the|that|nothing|no|nobody)\b|which (?:would|cost|can't|means))| because | since | so that | to (?:keep|avoid|prevent|stay) | rather than | instead of | away from | and not |; (?!the (?:test|build))|: )\S.*",
        "assistant",
    ),
    # It leaves something as it was for a reason, or out for now.
    Cue(
        "stays |stay |is kept|are kept|is left|are left",
        r"(?!(?:the )?(?:rest|logic|overall|build|error|problem)\b)\S.{2,100}?<>.{0,80}?(?:: |; |, (?:so|since|because|as|until|for)\b| (?:because|since|so that|until|for as long as)\b| out of | the way )\S?.*",
        "assistant",
    ),
    Cue(
        "not in yet|of its own|second round|later version|a path we won't|separate round|i'd rather do|not in this round|left those for|left that for|not included",
        r"\S.{2,120}?<>.*",
        "assistant",
    ),
    # It would take one.
    Cue(
        "i'd|i would",
        r"(?:(?!if\b|what\b)\S+ ){0,12}?<> (?:not )?(?:take|hold (?:off|back)|stay with|publish|ship|start with|say yes|live with|settle|skip|pick|opt|go for|leave)\b.*",
        "assistant",
    ),
    Cue(
        "my vote|my compromise|is what i'd|, i'd say",
        r"\S.{2,100}?<>\b(?! (?:about|we|it|that)\b).*",
        "assistant",
    ),
    Cue(
        "wins|won |suits |it is:|second thoughts|is overkill",
        r"(?!if\b|which|whoever|who\b)\S.{2,80}?\b<>.*",
        "assistant",
    ),
    # A rule that it laid down.
    Cue(
        "fixed at|capped at|limited to|reserved for|banned|refused|thrown away|not skipped|not stored|whoever|falls back to|kept for",
        r"(?!.*\b(?:agent|server|api|they|limit of|by default)\b)\S.{2,120}?(?:\b(?:is|are) (?:always |never |now )?<>|(?=who)<>).*",
        "assistant",
    ),
    Cue(
        "never |nothing |nobody |no matter ",
        r"(?!.*\b(?:because it|error|test|bug|fails?|i|you|we)\b)(?:\S.{2,80}? )?<>(?:is |are )?(?:\w+(?:ed|en|es|s)|sent|put|kept|set|shown|leaves|enters)\b(?! (?:in|error|null|to be|yet|reached|called))(?:.{0,80}?(?:: |; |, (?:so|since|as|and|which|no|but|even|only)\b| because |, not ).*)",
        "assistant",
        RULE,
    ),
    Cue(
        " and not |, not | rather than | instead of ",
        r"(?:\S+ ){1,12}?<>.{2,80}?(?:, (?:because|since|as|so that)\b| because | so that |; (?:with|the other|that)|: (?:with|the)| \(they)\S?.*",
        "assistant",
        RULE,
    ),
    # What it would have done: this and not that.
    Cue(
        "keep|put|drop|leave|ship|save|let|split|store|treat|route|use|open|make|serve|run|hash|count|cache|send|start|stick",
        r"<> (?!in mind|track|me\b|you\b|us\b|sure|know|it\b|this\b).{6,100}?(?:, (?:and )?not |, rather than|, instead of|; (?:the|that|it|you)|, (?:since|because|as) | and leave | and nowhere else|, and (?:only|nothing)).*",
        "assistant",
        RULE,
    ),
    Cue(
        "we ",
        r"(?:with \S+(?: \S+){0,3} )?<>(?:only |never |always |don't |just )?(?:accept|store|check|follow|round|count|treat|fall|retry|send|skip|reject|cache|hash|ship|show|hide|merge|use|write|read|trust|validate|expire|poll)\b (?!can|could|already|currently|in the)\S.{3,100}?(?:, (?:and )?(?:not|never) |, nothing |; ).*",
        "assistant",
        RULE,
    ),
    Cue(
        "no ",
        r"<>(?:new |extra |shared |separate |web |global |other )?\S+(?: \S+){0,4}(?: this time|: |; | for now|, since|, because|, as ).*",
        "assistant",
        RULE,
    ),
)

TELLS = (
    r"\b(?:was|were|wasn't|weren't|did|didn't|had|been|became|has become|went|got|gave|said|wrote|told|tells|asked me|asks|saw|took|came|thought|knew|made|tried(?! out| in)|looked (?:at|into|for|like)|"
    r"noticed|seen|happens? (?:when|if|only|because|on|every|twice|after|with)|happened|seems?|feels? like|wrong|broken|fails?|failing|(?:it|build|tests?|job|ci|they|run|step) failed|failed (?:to|with|because|on|at|again)|"
    r"crash(?:es|ed|ing)|bugs?|buggy|stuck|hangs|weird|strange|odd|slow|cut off|suspicious|off-centre|"
    r"i(?:'m (?!fine|ok|happy|not (?:going|using|adding|learning|doing|paying|supporting|putting)|leaving|keeping|dropping|skipping|sticking|staying)| am|'ve| have| do| don't (?!want)| do not (?!want)| didn't| can't| cannot| couldn't| suspect| guess| bet| wonder| remember| recall| know| see| get| read| check\w*| find| measured| compared| attached|'ll)|"
    r"thanks|thank you|thx|sorry|hello|hi|impressed|apparently|currently|at the moment|right now|yesterday|this morning|last (?:week|month|year|night)|tomorrow|"
    r"tell me|show me|give me|no idea|that's why|must be (?:something|the)|probably|somewhere|(?:which|that|it|this) means|on my|your (?:summary|diff|table|code)|line \d+|in the (?:logs?|network|literature)|"
    r"(?:he|she|they|boss|colleague|designer|reviewer|teacher|docs?|lead|friend|support) (?:says?|thinks?|claims?)|as far as|just asking|curious|any code|any more code)\b"
)

ORDERS = (
    r"\b(?:please|pls|looks|sounds?|no longer|not correct|incorrect|implemented|executes|contains?|bypass\w*|problem|issue|question|(?:get|got|gets|getting|see|seeing|throws?|same|this|that|an|the) (?:\w+ )?errors?|"
    r"i(?: need| think| agree|'d (?:be|like)| will| don't| do not)|let me|today|let's go|lets go|and add)\b"
    r"|^\W*(?:\d+[.)]\s*)?(?:(?:so|now|and|also|just|then|ok|okay|yes|oh|please|alright|perfect|great|cool),? ){0,3}(?:because\b(?! of)|asking|looking at|here(?:'s| is)|how|trying|this|that|that's|there|"
    r"it(?:'s)?\b|in (?:order|the \S+ (?:we|i))|my|"
    r"(?:make|translate|refactor|move|identify|confirm|suggest|scan|ensure|export|remove|report|desc\w*be|verify|convert|assume|help|re-?run|replace|analy[sz]e|search|locate|debug|investigate|profile|clean|rebase|"
    r"measure|flash|generate|graph|choose|extract|delete|install|respond|reply|answer|study|walk|list|update|rewrite|draft|be sure|scroll|inline|import|wrap|set up|setup|prepare|enhance|improve|count|print|log|"
    r"mention|follow|run|test|commit|push|show|explain|check|fix|try|look|read|open|continue|proceed|go|start|write|create|merge|deploy|build|review|tell|give|add|implement|execute|do|save|find|stop|wait|see|see if|"
    r"git|npm|apply|research|think|get|summari[sz]e|sure|done|yeah|hmm|still)\b(?! (?:sits|kicks|goes|gets|stays|shows|only|status|has|is|are|moves|opens|order|names?|messages?)\b)(?!-))"
    r"|, (?:just |then |and |now |please )?(?:plot|add|count at|locate|make sure|tell|explain|write|create|implement|check|fix|rerun|run|do (?!not))\b|\w{3,}error\b|exception\b|::|\(\)|[{};]\s*$"
)
