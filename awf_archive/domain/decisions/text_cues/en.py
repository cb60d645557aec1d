"""English."""

from awf_archive.domain.decisions.text_cues.shape import FIRM, LIKELY, Cue, Cues

_SETTLE = (
    r"(?:go(?:ing)? (?:with|for)(?! it\b)|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:with|on)|settl(?:e|ing) (?:on|for)|"
    r"opt(?:ing)? for|standardi[sz](?:e|ing) on|switch(?:ing)? (?:over |back )?to|migrat(?:e|ing) (?:over )?to|"
    r"adopt(?:ing)?|choos(?:e|ing)|pick(?:ing)?(?! up\b)|default(?:ing)? to)"
    r"(?! (?:a bunch|a few|some|any|me|you|us|your|it|that|this|branch|main|master|file|the (?:next|plan|tab|branch|main|file))\b)"
)
_DO = (
    r"(?:use|do|make|put|keep|store|save|call|name|write|run|build|add|implement|return|show|render|display|base|split|"
    r"create|place|define|handle|move|set|load|read|send|pass|take|import|install|generate|treat|"
    r"host|deploy|test|mock|parse|fetch|cache|export|log|raise|throw|expose|wrap|extend|rely|focus|target|stop|"
    r"leave|drop|remove|delete|skip|merge|rename|reuse|convert|rewrite|refactor|support|include)"
)
_DID = (
    r"(?:used|chose|kept|put|stored|made|built|added|implemented|wrote|moved|set|placed|split|created|replaced|"
    r"switched|returned|based|went|named|handled|left|dropped|removed|skipped|merged|reused|treated|took|wrapped)"
)
_TOOK = (
    r"(?:use|keep|put|store|save|name|write|build|implement|render|base|split|create|place|define|handle|move|set|make|leave|drop|"
    r"skip|merge|reuse|treat|wrap|stick|go|add)"
)
_WE = r"(?:i|we|i'll|we'll|i will|we will|i'm going to|we're going to|i am going to|we are going to|let's|lets|let us)"
_SUBJECT = (
    rf"(?:(?:{_WE}|we should|we need to|we can just|i want(?: you| us)? to|i'd (?:like|prefer)(?: you| us)? to|"
    r"i'd rather|i would rather|you should) )?"
)
_OVER = r"(?:instead of|rather than|in place of|as opposed to)"

CUES = Cues(
    language="en",
    needs=r"[a-z]",
    seeds=(
        "since ",
        "because ",
        "left the ",
        "given that",
        "i'm not",
        "i am not",
        "treating",
        "skipping",
        "no new ",
        "simplicity",
        "simple,",
        "let's",
        "deferring",
        "limiting",
        "decid",
        "decision",
        "instead",
        "rather",
        "in place of",
        "opposed to",
        "go with",
        "going with",
        "went with",
        "gone with",
        "stick",
        "stuck with",
        "settl",
        "opt for",
        "opted",
        "opting",
        "chose",
        "choos",
        "pick",
        "switch",
        "migrat",
        "adopt",
        "standardi",
        "default to",
        "agreed",
        "elected",
        "prefer",
        "deliberate",
        "intentional",
        "from now on",
        "going forward",
        "we'll use",
        "going to use",
        "stay with",
        "stayed with",
        "i'd ",
        "i would",
        "recommend",
        "suggest",
        "propos",
        "advise",
        "cleanest",
        "simplest",
        "safest",
        "safer",
        "simpler",
        "cleaner",
        "so that",
        "stays",
        "remains",
        "we should",
        "you should",
        "out of scope",
        "a separate",
        " over ",
        "option ",
        "reliable",
        "pragmatic",
        "correct ",
        "so i'",
        "so we'",
        " best ",
        "better",
        "appropriate",
        "sufficient",
        "leaving",
        "leave ",
        "keep",
        "kept ",
        "preserve",
        "to avoid",
        "to prevent",
        "to match",
    ),
    openers=r"ok|okay|k|alright|all right|right|well|so|and|but|then|now|yes|yep|yeah|yea|no|nope|nah|sure|great|good|cool|"
    r"perfect|fine|thanks|just|please|actually|instead|also|hmm|for now|i think|i guess|in that case|anyway|"
    r"sorry|wait|rather|note that|remember that|i think that|i believe(?: that)?|btw|simply|therefore|thus|hence|finally|lastly|first|second|looks good|sounds good",
    joint=r",? ",
    breaks=r"but|so|then|and|therefore|thus",
    cues=(
        Cue(
            rf"{_SUBJECT}{_SETTLE} (?P<chosen>\S.{{0,120}}?)(?: {_OVER} (?P<refused>\S.{{0,80}}))?$",
            "user",
            FIRM,
        ),
        Cue(rf"{_SUBJECT}{_DO}\b.{{0,120}}? {_OVER} (?P<refused>\S.{{0,100}})", "user", FIRM),
        Cue(
            r"(?:do not|don't|dont|never|stop|no) (?:use|using|do|doing|add|adding|want) (?P<refused>\S.{0,60}?)"
            r"[,;:.\-– ]+(?:but |and |just |instead |please ){0,2}(?:use|go with|do|switch to|stick (?:with|to)) "
            r"(?P<chosen>\S.{0,80})",
            "user",
            FIRM,
        ),
        Cue(
            r"(?:instead of|rather than) (?P<refused>\S.{0,80}?), ?(?:i want to |let's |lets |we should |we'll |please |just ){0,2}"
            + _DO
            + r" (?P<chosen>\S.{0,80})",
            "user",
            FIRM,
        ),
        Cue(
            r"(?:i|we|i've|we've|i have|we have|we had|i had) (?:already |now |finally )?"
            r"(?:decided|agreed|settled|opted|elected|chosen|chose|picked)\b(?! (?:by|yet))(?: \w+){0,3} \S",
            "",
            FIRM,
        ),
        Cue(
            r"(?:the |my |our |final |key |design |main |architectural ){0,3}decisions?(?: is| was| made)?(?: to\b|:|: ?-) ?\S",
            "",
            FIRM,
        ),
        Cue(
            r"i(?:'d|'ll| would| will)? (?:much |strongly |still )?(?:prefer|rather) (?P<chosen>\S.{0,80}?) (?:over|to|than) (?P<refused>\S.{0,60})",
            "user",
            FIRM,
        ),
        Cue(
            r"i(?:'d| would)? (?:much |strongly |still )?(?:prefer|rather (?:use|have|keep|go)) \S",
            "user",
            LIKELY,
        ),
        Cue(rf"{_SUBJECT}{_DO}\b(?! (?:this|that|it) instead).{{1,100}} instead$", "user", FIRM),
        Cue(
            rf"\S.{{0,60}}? (?:should|must|needs? to|has to|have to) (?:\w+ )?\w+\b.{{0,100}}? {_OVER} (?P<refused>\S.{{0,80}})",
            "user",
            FIRM,
        ),
        Cue(r"i want \S.{1,80}?, ?not \S.{1,80}", "user", FIRM),
        Cue(
            r"(?:please )?(?:don't|do not|never|no need to) (?:add|introduce|create|support|install|implement|touch|change) \S",
            "user",
            LIKELY,
        ),
        Cue(r"no (?:new|external|extra|more|third|additional) \S", "user", LIKELY),
        Cue(r"(?:we|you|it) (?:need|have|should|must)(?: to)? use (?P<chosen>\S.{0,80})", "user", LIKELY),
        Cue(
            rf"i(?:'d like| want| would like|'d want| need) \S.{{0,80}}? {_OVER} (?P<refused>\S.{{0,80}})",
            "user",
            FIRM,
        ),
        Cue(r"(?:from now on|going forward)\b,? \S", "user", FIRM),
        Cue(
            r"(?:let's|lets|let us|we'll|we will|i'll|we're going to) (?:just |only |also )?use (?P<chosen>\S.{0,80})",
            "user",
            FIRM,
        ),
        Cue(
            r"(?:let's|lets|let us|we'll|we will) (?:just |only |also )?(?:keep|drop|skip|leave|make|split|merge|store|call|treat|put|not(?! do\b)|avoid|stop|start with|support|focus on) \S",
            "user",
            LIKELY,
        ),
        Cue(r"(?:please )?(?:don't|do not|never) use (?P<refused>\S.{0,80})", "user", LIKELY),
        Cue(r"use (?P<chosen>[^\x00_]{2,80}?) (?:for|as|to) \S", "user", LIKELY),
        Cue(r"(?:we |you |it |this )?(?:must|should) (?:always|never|only|not) \S", "user", LIKELY),
        Cue(r"(?:always|never) " + _DO + r"\b \S", "user", LIKELY),
        Cue(r"(?:there's |there is )?no need (?:for|to) \S.{0,60}", "user", LIKELY),
        Cue(r"keep (?:it|this|that|the) \S", "user", LIKELY),
        Cue(
            r"replace (?!them\b|it\b|this\b|that\b)(?P<refused>\S.{0,60}?) (?:with|by) (?P<chosen>\S.{0,60})",
            "user",
            LIKELY,
        ),
        Cue(rf"{_WE} {_SETTLE} \S", "assistant", LIKELY),
        Cue(
            rf"(?:(?:{_WE}|i've|we've|i have|we have) )(?:{_TOOK}|{_DID})\b.{{0,120}}? {_OVER} (?P<refused>\S.{{0,100}})",
            "assistant",
            LIKELY,
        ),
        Cue(rf"{_DID}\b.{{0,120}}? {_OVER} (?P<refused>\S.{{0,100}})", "assistant", LIKELY),
        Cue(r"(?:i|we|i've|we've) (?:went|gone|stuck|stayed) with \S", "assistant", LIKELY),
        Cue(r"(?:going|sticking|settling) (?:with|on) (?!that\b|this\b|it\b)\S", "assistant", LIKELY),
        Cue(
            r"(?:(?:i|we|i've|we've|i have) (?:\w+ )?)?(?:deliberately|intentionally) (?!has\b|have\b|is\b)\S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:we'll|we will|let's|we're going to) use (?P<chosen>\S.{0,80}?) (?:because|since|so that|as it) \S",
            "assistant",
            LIKELY,
        ),
        Cue(r"change (?:of|in) plans?\b.{0,3}\S.{5,}", "user", FIRM),
        Cue(r"we(?:'re)? (?:do|go|use|call|ship|stay)\b \S", "user", LIKELY),
        # A user's wishes and orders that bind what follows.
        Cue(r"(?:lets|let's) do (?:this|it|that) (?:with|in|via|by|using|as) \S", "user", FIRM),
        Cue(
            r"(?:i|we) (?:explicitly |really |also |still |do |only |just |kind of feel like |think ){0,2}(?:we |i ){0,1}(?:don't |do not )?(?:want|need|love|prefer)\b(?! (?:you|to (?:see|know|understand|check|add|make sure|be able|test|run|ask|address|fix|collect|look|ensure|talk|discuss)|me to|help)\b) \S.{6,}",
            "user",
            LIKELY,
        ),
        Cue(
            r"(?:i'd|i would|we'd) (?:love|like|prefer|rather) (?!you\b|to (?:see|know|understand|check|ask))\S.{6,}",
            "user",
            LIKELY,
        ),
        Cue(
            r"(?:it|they|these|that|this|(?:the |all |every )\S.{0,40}?) (?:should|must|needs? to|has to|have to) (?:always |never |only |not |all |just )?(?:be|have|use|stay|go|return|show|contain|include|live|sit|default|fail|remain|support|accept)\b \S",
            "user",
            LIKELY,
        ),
        Cue(
            r"the \S.{0,40}? (?:stays?|remains?|is now|is still|are going to be|is going to be)\b(?! \w*(?:fail|broke|not\b|miss|show|work|err|wrong|there|empty|slow|in\b))\W{0,3}\S",
            "user",
            LIKELY,
        ),
        Cue(
            r"(?:we )?(?:also |just |have |now )?(?:rename|renamed|put|keep|leave|revert|drop|remove|throw out|get rid of) (?!me\b|you\b|them\b|these\b|those\b|going|trying|in mind|in self|up\b)\S.{2,}",
            "user",
            LIKELY,
        ),
        Cue(
            r"(?:change|switch|set|rename) (?:\S.{0,80}? )?(?:to|from) (?!(?:reflect|include|add|match|show|use|be|branch|main|master|the (?:repo|readme|branch|next))\b)\S",
            "user",
            LIKELY,
        ),
        Cue(r"no \S.{1,60} (?:ever|at all|anymore)\b", "user", LIKELY),
        Cue(r"we should (?!ask|check|see|look|discuss|talk|be able)\S.{3,}", "user", LIKELY),
        # An assistant's choices.
        Cue(
            r"(?<=so\s)(?:i|we)(?:'m|'ll| will| am) (?:also )?(?:add|keep|us|mak|put|skip|treat|leav|pass|set|stor|mov|drop)\w* (?!it\b|them\b|this\b|that\b|sure)\S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"i(?:'d| would) (?:not )?(?:lean|go|put|keep|drop|use|leave|guard|recommend|suggest|treat|make|move|split|avoid|pick|choose|prefer|advise|rather)\b \S",
            "assistant",
            LIKELY,
        ),
        Cue(r"i (?:strongly )?(?:recommend|suggest|propose|advise) \S", "assistant", LIKELY),
        Cue(
            r"(?:my )?(?:recommendation|recommended(?: \w+)?|suggestion)(?: is)? ?: ?\S.{3,}",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:the |my )?(?:\w+ )?(?:cleanest|simplest|safest|best|right|recommended|proper|correct|reliable|pragmatic|better|least risky)(?: [\w-]+){0,2} (?:fix|option|approach|pattern|way|choice|solution|move|path|design|place|resolution)(?: [^,.]{1,40})? (?:is|would be) \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"\S.{3,100}? (?:is|seems|would be) (?:the )?(?:(?:cleanest|simplest|safest|best|right|better|recommended) (?:choice|option|place|fit|approach|way|one|call)\b|(?:appropriate|sufficient|safer|simpler|cleaner|enough|better)\b(?: for [^,.]{1,60})?$)",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:so )?(?:i|i'll|i'm|i will|i am|i've) (?:also )?(?:leave|leaving|left|keep|keeping|kept) (?!going|track|an eye|you|it\b|them\b|that\b|this\b|those\b)\S.{3,}",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:leaving|keeping) \S.{3,80} (?:alone|as is|as-is|unchanged|untouched|intact)\b",
            "assistant",
            LIKELY,
        ),
        Cue(r"rather than \S.{2,160}?, (?:i|we|so)\b", "assistant", LIKELY),
        Cue(r"(?:changed|switched|moved) (?:\S+ )?to (?:use )?\S.{2,60} instead\b", "assistant", LIKELY),
        Cue(
            r"to (?:preserve|keep|avoid|prevent|stay|match) \S.{2,80}?,? (?:i|we|i'll|i'm|we'll) \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:update|upgrade|bump|downgrade)\b.{0,80}? to (?:the )?(?:latest|newest|version|v?\d)\S*(?: \S.{0,60})?",
            "user",
            LIKELY,
        ),
        # More of a user's.
        Cue(
            r"use (?!the (?:test|file|same|`?--)|this|that|it\b|them\b|those\b|with\b|in\b|/|your|my|case|of\b)[^\x00_]{2,60}$",
            "user",
            LIKELY,
        ),
        Cue(
            r"(?:we|i|you) (?:do not|don't|dont|won't|shouldn't|should not) (?:need|want|use|have to|support|care)\b \S",
            "user",
            LIKELY,
        ),
        Cue(r"\S.{1,40} it is$", "user", LIKELY),
        Cue(r"i (?:really )?(?:like|love) (?:the|your|that|option|this idea)\b.{0,3}\S.{3,}", "user", LIKELY),
        Cue(
            r"(?:go ahead|proceed|continue|start|move forward) with (?!it\b|that\b|this\b|all\b|next\b|the (?:next|rest|task|step|plan))\S.{2,}",
            "user",
            LIKELY,
        ),
        # More of an assistant's.
        Cue(
            r"(?:i|we|i've|we've) (?:also )?(?:used|made|put|added|set|stored|named|structured|designed|implemented|wrote|built|created|moved|split) \S.{2,120}? (?:because|since|so that|to avoid|to keep|to prevent|to preserve)\b",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"(?:we|you) should (?:use|keep|store|avoid|drop|skip|prefer) \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"option [a-d1-4] is (?:the )?(?:\w+ ){0,2}(?:best|smallest|safest|simplest|cleanest|better|right|way)\b",
            "assistant",
            LIKELY,
        ),
        Cue(r"(?:use|keep|prefer|avoid) \S.{2,80}? (?:rather than|instead of|over) \S", "assistant", LIKELY),
        Cue(
            r"\S.{3,80}? (?:is|are|stays|as) (?:intentionally |deliberately )?(?:out of scope|a separate (?:pr|change|feature|task))\b",
            "assistant",
            LIKELY,
        ),
        # Limits, rights, and what is put off.
        Cue(
            r"(?:\S+ ){0,8}?(?:max(?:imum)?|at most|at least|up to|no more than|every|expires?|times? ?out|retr(?:y|ies)|limit(?:ed)? to) (?:\S+ ){0,4}?\d+(?! (?:error|file|test))\b.{0,60}",
            "user",
            LIKELY,
        ),
        Cue(
            r"only \S.{1,30}? (?:can|may|should|is allowed to|are allowed to|has access|have access)\b \S",
            "user",
            LIKELY,
        ),
        Cue(
            r"(?:leave|save|postpone|defer|keep|put off|push|do) \S.{1,60}? (?:for|until|to|in) (?:later|v\d|the next (?:version|release|phase|sprint)|phase \d|another (?:pr|time|day))\b",
            "user",
            LIKELY,
        ),
        Cue(r"(?:\S+ ){1,6}can wait\b", "user", LIKELY),
        # Short ways to say it.
        Cue(r"(?:just |only )(?:one|a single) \S.{3,}", "user", LIKELY),
        Cue(
            r"no (?!.*\b(?:was|were|is|are|provided|found|shown|given|got)\b|one|idea|problem|worries|need|it\b|i\b|that\b|but\b|difference|luck|thanks|thank|change|longer|way|such|output|errors?\b|issues?\b|response)\S.{2,40}$",
            "user",
            LIKELY,
        ),
        Cue(r"i (?:don't|do not|dont) think (?:we|you|it) (?:need|should|needs)\b \S", "user", LIKELY),
        Cue(
            r"we(?:'re| are) (?:not|only) (?!getting|seeing|having|missing|working)\w+ing \S", "user", LIKELY
        ),
        Cue(
            r"(?:we'll|we will|we can|i'll) (?:revisit|do|add|handle|look at|worry about) \S.{0,40}? (?:later|in a follow[- ]?up|next|another time|in another)\b",
            "user",
            LIKELY,
        ),
        Cue(r"\S.{2,50}? (?:can|will) (?:come|wait|be done|happen) (?:later|next|after)", "user", LIKELY),
        Cue(r"(?:call|name) (?:it|this|that|the \S+(?: \S+)?) (?!a day|when|if|with|from)\S", "user", LIKELY),
        Cue(
            r"make \S.{0,60}? (?:the default|configurable|optional|required|mandatory|private|public|read-only|async)\b",
            "user",
            LIKELY,
        ),
        Cue(r"i(?:'d| would) (?:go|stick|start) with \S", "user", LIKELY),
        Cue(
            r"(?:the |your )\S.{0,30}?(?:approach|option|suggestion|idea|one|way|design|plan|version|proposal) (?:is|sounds|looks|seems) (?:better|best|good|right|fine|great|simpler)\b",
            "user",
            LIKELY,
        ),
        Cue(r"(?:let's|lets) do (?:the (?!same)|a |both |option )\S", "user", LIKELY),
        Cue(
            r"(?:\S+ ){1,4}?(?:goes?|lives?|belongs?) (?:to|in|into|under|on) (?!the next|sleep)\S",
            "user",
            LIKELY,
        ),
        Cue(r"(?:target|support|require) (?:\S+ )?v?\d\S*.{0,30}", "user", LIKELY),
        Cue(
            r"(?!this|that|it\b|it's|all\b|everything|tests?\b|looks)\S.{1,40}? is (?:better|simpler|safer|enough|fine|overkill)(?: than \S.{1,40})?(?: here| for now)?$",
            "user",
            LIKELY,
        ),
        Cue(r"(?:it's|it is|it would be) better to \S", "user", LIKELY),
        Cue(r"don't (?:worry|bother|care) (?:about|with) \S", "user", LIKELY),
        Cue(
            r"(?:since|because|given that) [^,]{5,100}, (?:i|we)(?:'ll|'m|'ve)? (?!need|will need|can|could|have to|should|must)\w+ \S",
            "assistant",
            LIKELY,
        ),
        Cue(
            r"i(?:'m| am) (?:deliberately )?(?:not (?:adding|using|changing|touching|making|introducing)|treating|skipping|limiting|scoping|restricting|defaulting|deferring) \S",
            "assistant",
            LIKELY,
        ),
        Cue(r"no new \S+ (?:is |are )?(?:needed|required)", "assistant", LIKELY),
        Cue(r"(?:let's|lets) (?:keep|leave|skip|drop|go with|stick) (?!going)\S", "assistant", LIKELY),
        Cue(r"(?:for simplicity|to keep (?:it|things) simple),? \S", "assistant", LIKELY),
        Cue(
            r"(?:this|it) (?:uses?|keeps?|stores?|reads?|avoids?) \S.{2,100}? (?:rather than|instead of) \S.{2,80}? (?:so|because|to|since)\b",
            "assistant",
            LIKELY,
        ),
    ),
    doubts=r"^\W*(?:for example|e\.g\.)|\b(?:if|unless|whether|maybe|perhaps|might|could|would it|would be|may want|consider(?:ing)?|suppose|"
    r"what about|how about|thinking (?:of|about)|not sure|unsure|i wonder|undecided|(?:not|n't|never|yet to|have to|need to|"
    r"needs to|must|should|to|can|until (?:we|you)|before (?:we|you)|once (?:we|you)|when (?:we|you)|let me|help (?:me|us)|you|they) decide|"
    r"(?:not|n't) (?:yet |really )?(?:decided|agreed|chosen|settled)|such as when|"
    r"either|hypothetical(?:ly)?|alternatively|"
    r"optional(?:ly)?|you can|you could|users? can|was supposed|were supposed|should have|wanted to|instead of what)\b",
    asks=r"^\W*(?:and |but |so |ok |hmm |wait )?(?:who|what|when|where|why|which|how|is|are|was|were|does|did|do (?:i|we|you|they)|can|could|"
    r"should|would|will|shall|may|have you|has|explain|any)\b",
    weighs=r"\b(?:should|which|better|prefer|what (?:about|would|do you)|how should (?:we|i)|thoughts)\b",
    leaves=r"\beither\b.* or |, or (?:we|you|i) (?:could|can)\b|\bor (?:would you (?:prefer|rather)|should i|do you|leave|keep (?:it|them)|stick|just)\b|\b(?:two|three|several|a few) (?:ways|options|approaches|choices)",
    requests=r"^\W*(?:ok(?:ay)?,? |and |so |hey,? |yes,? |also,? |now,? ){0,2}(?:can|could|would|will) (?:you|we)(?: please| also| maybe| just| now){0,2} ",
    works=r"^\W*(?:(?:ok(?:ay)?|please|now|then|and|so|yes|yeah|sure|great|perfect|cool|good|no|also|just|let's|lets|i|we|you|go ahead and|can you|could you|but|well|all right|alright),? ){0,4}"
    r"(?:run|re-?run|test|commit|push|show|explain|check|fix|try|look|looks|read|open|continue|proceed|go|start|write|create|make (?:a|the|sure)|merge|deploy|build|verify|review|tell|give|help|add|"
    r"implement|execute|do|exit|quit|thanks|thank|perfect|great|nice|cool|awesome|hmm|yes|yep|yeah|ok|okay|done|wait|stop|never|sorry|oh|wow|still|got|see|saw|think|get|getting|ran|"
    r"already|git|npm|error|hi|hello|good|summari[sz]e|update the|apply|it's|its|that's|there|this|research|find|save|sure|also)\b",
    announces=r"\b(?:following|these|this|those|below|add|changes|here)\b[^:]{0,60}:$",
    because=r"\b(?:because|since(?! \d)|given that|as it'?s?\b|due to|in order to|so that|so (?:that|it|we can|we don't|i can)\b|the reason (?:is|being)|reason:)",
    because_first=r"^\W*(?:because|since|given that|given|as) (?P<reason>[^,]{4,160}), ?",
    explains=r"^\W*(?:because|this (?:is because|way|avoids|keeps|lets|makes|gives)|that way|reasons?(?: being)?\b|rationale\b|why:|it'?s (?:simpler|faster|easier|cleaner|safer|cheaper|better))",
    offers=r"\b(?:(?:would|do) you (?:like|want|prefer)(?: me)? to|want me to|shall (?:i|we)|should (?:i|we)|may i|can i|ok(?:ay)? (?:to|if i)|"
    r"(?:does|do|is) (?:this|that|these)\b|are you (?:ok|okay|fine|happy) with|sound good|ready (?:for me )?to|happy (?:for me )?to)\b",
    recommends=r"\b(?:i(?:'d| would)? (?:strongly )?(?:recommend|suggest|propose|advise)(?: that)?(?: we| you)?|my (?:recommendation|suggestion|proposal|preference|advice|pick)(?: is| would be)?:?(?: to)?|"
    r"(?:recommended|recommendation|suggestion|proposal|proposed (?:approach|solution|fix|plan))(?: is)?:(?: to)?|"
    r"(?:the )?(?:best|simplest|cleanest|safest|right|better|proposed|recommended) (?:approach|option|solution|way|fix|choice|path|plan)(?: here| forward)?(?: is| would be|:)(?: to)?|"
    r"(?:my|the) plan(?: is)?(?: to|:)|i(?:'ll| will|'d| would)(?! not\b)|i can (?=add|patch|flip|make|use|put|change|move|drop|replace)|(?:correct|right) \w+(?: for [^,.]{1,30})? is to|i(?:'m| am) going to|we should|we can|we could|let's)",
    plans=r"(?:my|the) plan|i'll|i will|i'd$|i would$|i can|i'm|i am|we can|let's",
    trifles=r"^(?:me )?(?:to )?(?:go ahead|proceed|continue|start|begin|run|re-?run|show|explain|help|look|check|commit|push|"
    r"investigate|review|test|try|verify|see|open|read|know|elaborate|walk|take a look|dive|keep going|move (?:on|forward)|"
    r"do (?:that|this|it)|give|provide|share|summari[sz]e|create a (?:pr|pull request|commit)|clarify|adjust anything|"
    r"make any|anything|something|more)\b",
    choices=r"\b(?:use|using|switch|replace|keep|rename|store|default|drop|split|merge|expose|instead|rather|option|approach|only|without|treat|both|separate|same|as a|stick|go with|include both|move)\b",
    empties=r"(?:(?:shall|should|may|can) (?:i|we) (?:go ahead|proceed|continue|start|begin|do (?:it|that|this|so))|(?:would|do) you (?:like|want) me to (?:go ahead|proceed|continue|start|begin|do (?:it|that|this|so)|implement (?:it|this|that))|"
    r"want me to (?:go ahead|proceed|continue|start|begin|do (?:it|that|this|so))|"
    r"(?:want me to|(?:shall|should|may|can) i|(?:would|do) you (?:like|want) me to) \w+ (?:that|this|it|them|those)\b|(?:does|do) (?:this|that|these|it)(?: \w+)? (?:look|sound|work|make sense|seem|match)|is (?:this|that) (?:ok|okay|good|fine|right|what you)|"
    r"sound(?:s)? good|what do you think|ok with you|ready to (?:go|start|proceed)|let me know (?:if|which|what|how)|"
    r"are you (?:ok|okay|fine|happy) with|any (?:objections|concerns))",
    judges=r"(?:does|do) (?:this|that|these|it)(?: \w+)? (?:look|sound|work|make sense|seem|match)|is (?:this|that) (?:ok|okay|good|fine|right|what you)|sounds? good|what do you think|ok with you|are you (?:ok|okay|fine|happy) with|any (?:objections|concerns)",
    option_words=r"(?:option|approach|plan|solution|variant|choice|alternative|strategy|path)s?",
    picks=r"(?:(?:let's |lets |let us |i'll |we'll |i |we |please |just |i'd )?(?:go (?:with|for)|use|do|choose|pick|take|prefer|want|try|like|implement|start with|apply|fix) )?"
    r"(?:(?:the )?(?:option|approach|plan|solution|variant|choice|alternative|strategy|path|number|no\.?|#) ?#?(?P<which>[a-h]|\d{1,2}|one|two|three|four)"
    r"|(?:the )?(?P<place>first|second|third|fourth|last|latter|former)(?: (?:one|option|approach|plan|variant|solution))?"
    r"|\(?(?P<bare>[a-h]|\d{1,2})\)?)"
    r"(?:[,.!]? (?:please|it is|sounds good|is fine|is good|works|for now|looks good|thanks|is better|is best))?",
    ordinals={
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "first": 1,
        "second": 2,
        "third": 3,
        "fourth": 4,
        "last": -1,
        "latter": -1,
        "former": 1,
    },
    alternatives=r" or ",
    fillers="a an the to of for in on at with by and or is are be it this that we i you our my your let us lets let's use using "
    "used go going gone went should will would shall must want prefer please just only also now then so ok yes no not "
    "don't do does instead rather than over decided decide decision chose choose chosen pick picked switch stick keep kept "
    "we'll i'll as from all any some here there have has i'd like make",
    denies=r"\b(?:not|n't|no|never|without|avoid|drop|remove|stop)\b|n't\b",
    consents=r"yes to (?:all|both)|(?:let's |lets )?(?:go|do|follow|use)(?: with| as)? (?:what )?you(?:r|'ve|'re)? ?(?:suggest(?:ion|ed|ing)?|recommend(?:ation|ed|ing)?|propos(?:al|ed)|said|plan|idea|approach)|(?:yes|yep|yeah|yea|sure|ok(?:ay)?|right|great|perfect|cool|good)\b,? (?:yes|please|continue|proceed|go ahead|go on|do (?:it|that|this)|let's (?:do|go)\b.{0,20}|lets (?:do|go)\b.{0,20}|apply (?:it|that|this)|that works|sounds good|works for me|makes sense|i agree|agreed|keep going|looks (?:good|right|great)|that's (?:right|fine|good))",
    refuses=r"(?:no|nope|nah|not|don't|do not|rather|instead|actually|wait)\b",
    overrides=r"\binstead\b",
    amends=r"but|except|however|instead|although|though|only|with the|no|not|wait|actually",
)
