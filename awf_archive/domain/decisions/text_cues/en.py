"""English: subject, deciding verb, object; a handful of ways to say each act, not sentences that were met."""

from awf_archive.domain.decisions.text_cues.en_choices import CHOICES
from awf_archive.domain.decisions.text_cues.en_guards import ORDERS, TELLS
from awf_archive.domain.decisions.text_cues.shape import FIRM, LIKELY, RULE, Cue, Cues

_OVER = "instead of|rather than|in place of|as opposed to"
_LETS = r"(?:let's|lets|let us|we'll|we will|i'll|i will|we're going to|we are going to|i'm going to)"
_WISH = (
    rf"(?:(?:{_LETS}|we|i|we should|we need to|we can just|i want(?: you| us)? to|i'd (?:like|prefer)(?: you| us)? to|"
    r"i'd rather|i would rather|you should) )?(?:just |only |also )*"
)
_DID_IT = r"(?:(?:i|we)(?:'ve| have|'ll| will|'m|'d| would| am)?(?: also| now| just| only)? )"
_HOW = r"(?:also|always|never|only|not|just|all|still|both|simply|at least|by default)"
_AT_WORK = (
    r"(?:work|works|be able|be (?:good|fine|ok|enough|working|running|fixed|there|possible)|know|see|check|look|understand|fix|test|run|help|ask|"
    r"be careful|think|try|continue|start|begin|commit|push|talk|discuss|go|get|read|review|investigate|figure|find|do (?:it|this|that|so|the same)|wait|say|mean|happen|research|explore|show|tell|explain|answer|locate|describe|report|scroll|attempt|make (?:any|sure|code))\b"
)
"""Orders for today, and what is hoped or found: no choices."""
_PLAIN_VERB = r"(?!(?:it|its|this|that|these|those|they|he|she|there|the|a|an|i|we|you|my|your|our|why|how|what|is|are|was|not|no|on|in|for|which|same|error|because|please|ok|okay|yes|just|also|actually|then|but|so|and|can|could|would|should|will|or)\b)(?!\w+(?:s|ed|ing)\b)[a-z]{2,}"
"""How an imperative begins; what tells of the code (`it returns …`) begins otherwise."""
_THING = r"(?!(?:i|you|what|why|how|if|when|which|who|where|there|so|maybe|it's|let|error|he|she|please|can|and|or)\b)\S+(?: (?!(?:i|you|that|which|if|when|what|because)\b)\S+){0,5}?"
_IT = r"(?:it|them|this|that|these|those|me|you|us|up|going|trying|in mind)\b"

_DO = (
    r"(?:use|call|keep|show|list|catch|ignore|skip|return|print|store|save|send|write|read|load|support|allow|include|handle|render|log|"
    r"accept|take|pass|have|put|set|leave|do|increase|reduce|apply|export|import|target|change|want to (?!see|know|check|make|understand|ask)\w+)"
)

CUES = Cues(
    language="en",
    needs=r"^[^\u3400-\u9fff\u0300-\u036f\u1ea0-\u1eff\u0103\u0111\u01a1\u01b0]*$|\b(?:the|use|using|instead|let's|please|don't|should|with|for|keep|drop|add|make|want|need|is)\b",
    needs_in_ascii="",
    openers=r"ok|okay|k|alright|all right|right|well|so|and|but|then|now|yes|yep|yeah|yea|no|nope|nah|sure|great|good|cool|"
    r"perfect|fine|thanks|just|please|actually|instead|also|hmm|for now|i (?:kind of |really |also |do |just )?(?:think|feel like|feel|know|guess|believe)(?: that)?|in that case|anyway|"
    r"sorry|wait|rather|note that|remember that|btw|simply|therefore|thus|hence|finally|lastly|first|second|looks good|sounds good",
    joint=r",? ",
    breaks=r"but|so|then|and|therefore|thus",
    cues=(
        # One way is taken, and not another: said plainly, by whomever.
        Cue(
            "go with|going with|go for|stick|stay with|stay on|staying|settle|settling|opt for|standardise|standardize|switch|migrate|adopt|choose|pick|default to",
            _WISH
            + r"<>(?:ing)?(?: (?:with|to|on|for|over|back))*(?! (?:to|with|on|for|over|back|a bunch|a few|some|any|me|you|us|your|it|that|this|up|branch|main|master|file|tab|"
            rf"the (?:next|plan|tab|branch|main|file))\b) (?P<chosen>\S.{{0,120}}?)(?: (?:{_OVER}) (?P<refused>\S.{{0,80}}))?$",
            "user",
            FIRM,
        ),
        Cue(
            _OVER,
            rf"{_WISH}{_PLAIN_VERB} (?:(?!\bif\b).){{0,120}}?<> (?P<refused>\S.{{0,100}})",
            "user",
            FIRM,
        ),
        Cue(
            _OVER,
            rf"<> (?P<refused>\S.{{0,100}}?), ?{_WISH}{_PLAIN_VERB} (?P<chosen>\S.{{0,80}})",
            "user",
            FIRM,
        ),
        Cue(
            _OVER,
            r"\S.{0,80}? (?:should|must|needs? to|has to|have to|want|like|need) .{0,100}?<> (?P<refused>\S.{0,80})",
            "user",
            FIRM,
        ),
        Cue("instead", rf"{_WISH}{_PLAIN_VERB}\b(?! {_IT}).{{1,100}} <>$", "user", FIRM),
        Cue("instead", rf"<>,? {_PLAIN_VERB} (?!{_IT})\S.{{3,}}", "user", LIKELY),
        Cue(
            "don't|dont|do not|never|no need to",
            r"<> (?:use|using|do|add|want|need) (?P<refused>\S.{0,60}?)[,;:.\-– ]+(?:but |and |just |instead |please ){0,2}"
            r"(?:use|go with|do|switch to|stick (?:with|to)) (?P<chosen>\S.{0,80})",
            "user",
            FIRM,
        ),
        Cue(
            "decided|agreed|settled|opted|elected|chosen|chose|picked",
            r"(?:i|we)(?:'ve| have| had)? (?:already |now |finally )?<>\b(?! (?:by|yet))(?: \w+){0,3} \S",
            "",
            FIRM,
        ),
        Cue(
            "decision",
            r"(?:the |my |our |final |key |design |main |architectural ){0,3}<>s?(?: is| was| made)?(?: to\b|:|: ?-) ?\S",
            "",
            FIRM,
        ),
        Cue(
            "prefer|rather",
            r"i(?:'d|'ll| would| will)? (?:much |strongly |still )?<> \S.{0,80}? (?:over|to|than) \S",
            "user",
            FIRM,
        ),
        Cue("from now on|going forward|change of plan|change in plan", r"<>\w*\W{1,3}\S.{4,}", "user", FIRM),
        Cue("use", rf"{_LETS} (?:just |only |also )?<> (?!{_IT})(?P<chosen>\S.{{0,80}})", "user", FIRM),
        Cue("do", r"(?:let's|lets) <> (?:this|it|that) (?:with|in|via|by|using|as) \S", "user", FIRM),
        Cue("want", r"(?:i|we) <> \S.{1,80}?, ?not \S.{1,80}", "user", FIRM),
        # A user says what is to be used, kept, left out, and how things are to be.
        Cue(
            "use",
            rf"(?:we |you |it )?(?:should |must |always |only |need to )?<> (?!{_IT}|the (?:test|file)|with\b|in\b|/|your|my|case|of\b)\S.{{1,}}",
            "user",
        ),
        Cue(
            "let's|lets|let us|we'll|we will|we're going to|we are going to",
            rf"<> (?:just |only |also )?(?!{_AT_WORK}|not do\b|add|update|implement|create|write|merge|do (?!the |a |both |option ))\w+ (?!{_IT})\S.{{3,}}",
            "user",
        ),
        Cue(
            "should|must|shouldn't|mustn't",
            rf"{_THING} <>(?: {_HOW})* (?!{_AT_WORK})\w+\b.{{2,}}",
            "user",
        ),
        Cue("should", rf"we <>(?: {_HOW})* (?!{_AT_WORK})\w+ \S.{{2,}}", "user"),
        Cue("must|should", rf"<> (?:{_HOW}|be|have|use|return|stay)\b \S", "user"),
        Cue(
            "want|need",
            rf"(?:i|we)(?: do| don't| do not| dont)?(?: \w+){{0,2}} <> (?!you\b|to (?:add|address|collect|{_AT_WORK[3:]}|me to|help)(?:we |i )?\S.{{6,}}",
            "user",
        ),
        Cue(
            "love|like|prefer|rather",
            r"(?:i|we)(?:'d| would)(?: \w+)? <> (?!you\b|to (?:see|know|understand|check|ask|run|test|review)\b)\S.{6,}",
            "user",
        ),
        Cue(
            "update|change|modify|extend|refactor|have",
            r"<> (?:the )?\S.{0,60}? (?:to )?(?:use|format|return|take|accept|store|only|not|always|never|support|raise) \S",
            "user",
        ),
        Cue(
            "just|only",
            rf"<> {_DO} (?!{_IT})\S.{{3,}}|only (?:if|when|in|for) (?!{_IT})\S.{{3,}}|(?:just|only) (?:one|a single) \S.{{3,}}",
            "user",
        ),
        Cue(
            "only",
            r"<> \S.{1,30}? (?:can|may|should|is allowed|are allowed|has access|have access)\b \S",
            "user",
        ),
        Cue(
            "don't|do not|never|avoid|no need|without",
            rf"(?:please )?<>(?: to| for)?(?! (?:worry|know|think|understand|see|forget|remember|get|have|mind|you|i|it|stop|like|want|need|really|seem|write any|change any|do any)\b|\b.* yet\b)(?! (?:{_AT_WORK}|\w+(?:s|ed)\b)) [a-z]+ \S",
            "user",
        ),
        Cue(
            "no",
            r"<> (?:new|external|extra|more|third|additional) \S|<> \S.{1,60} (?:ever|at all|anymore)\b",
            "user",
        ),
        Cue(
            "don't|won't|shouldn't|do not",
            r"(?:we|you)(?: \w+)? <> (?:need|want|use|support|care)\b \S",
            "user",
        ),
        Cue(
            "rename|keep|leave|revert|throw out|get rid of|drop",
            rf"(?:we )?(?:just |have |now )?<>d? (?!{_IT})\S.{{2,}}",
            "user",
        ),
        Cue(
            "stays|remains|is now|is still|going to be",
            r"the \S.{0,40}? (?:are |is )?<>\b(?! \w*(?:fail|broke|not\b|miss|show|work|err|wrong|there|empty|slow|in\b))\W{0,3}\S",
            "user",
        ),
        Cue(
            "change|switch|set|replace|put|store|save|place|host|deploy|call|name|treat|wrap|emit|output|export|encode|log|convert|port|rewrite",
            rf"<> (?!{_IT} (?:to|in)|me\b)\S(?:.{{0,80}}?\S)? (?:to|from|with|by|in|into|under|at|as|on) (?!(?:reflect|include|add|match|show|use|be|branch|main|master|the (?:repo|readme|branch|next))\b)\S",
            "user",
        ),
        Cue(
            "sort|order|group|average|round|limit|format|cap",
            r"<>(?: \S.{0,80}?)?(?: (?:by|as|to|for|at|in)\b|[:,]) ?\S",
            "user",
        ),
        Cue(
            "make",
            r"<> (?!sure|a |me )\S.{0,60}? (?:the (?:default|same)|configurable|optional|required|mandatory|private|public|read-only|async|like)\b",
            "user",
        ),
        Cue(
            "skip|ignore|raise|throw|fall back|fallback|warn|print an error",
            rf"<> (?!{_IT}$)\S.{{2,}}",
            "user",
        ),
        Cue(
            "with no|without|only",
            r"(?:show|render|display|return|list|print|call|write|store|keep) \S.{2,80}? <> \S",
            "user",
        ),
        Cue(
            "option|flag|param|arg|setting|env var|--",
            r"(?:add|introduce|expose) (?:an? |the )?(?!\w* ?tests?\b|unit)(?:(?:new|bool|boolean|optional) )*(?:\S+ ){0,3}?<>\w*.{0,80}",
            "user",
        ),
        Cue(
            "latest|newest|version|to v|to 1|to 2|to 3",
            r"(?:update|upgrade|bump|downgrade|pin)\b.{0,80}? to (?:the )?(?:latest|newest|version|v?\d)\S*(?: \S.{0,60})?",
            "user",
        ),
        Cue(
            "gets|max|at most|at least|up to|no more than|every|expire|timeout|time out|times out|retry|retries|limit",
            r"(?:\S+ ){0,8}?<>\w* (?:\S+ ){0,4}?\d+(?! (?:error|file|test))\b.{0,60}",
            "user",
        ),
        Cue(
            "later|wait|until|next|for v|phase",
            r"(?:leave|save|postpone|defer|keep|put off|push|do|revisit|add|handle|\S.{1,40} can(?: come| be done)?) \S{0,60}?.{0,40}?<>\b.{0,20}$",
            "user",
        ),
        Cue(
            "is better|is simpler|is safer|is enough|is fine|is overkill|sounds better|it is|looks better|is best",
            r"(?!this|that|it\b|it's|all\b|everything|tests?\b|looks)\S.{1,50}? <>(?: than \S.{1,40})?(?: here| for now)?$",
            "user",
            RULE,
        ),
        Cue("like|love", r"i (?:really )?<> (?:the|your|option|this idea)\b \S.{3,}", "user"),
        Cue("we", r"<>(?:'re)? (?:do|go|use|call|ship|stay)\b \S", "user"),
        Cue(
            ", not",
            r"(?!if\b|is\b|it's\b|i\b)\S.{2,80}?<> (?!sure|that|because|yet|only|working|found)\S.{2,60}$",
            "user",
        ),
        Cue(
            "needs to|need to|has to|have to",
            rf"{_THING} <>(?: {_HOW})* (?:be|have|use|support|stay|work(?! on)|run (?:on|in|with)|return|live|handle|accept|fit|match|come|go|contain|include|follow|keep|end|start with)\b \S",
            "user",
        ),
        Cue(
            "no",
            r"<> (?!.*\b(?:was|were|is|are|provided|found)\b)(?!(?:problem|one|idea|need|worries|thanks?|way|difference|luck|changes?|errors?|output|issues?|longer|such|response|more|it|i|"
            r"that|this|but|rush|questions?|results?|matches|objections?)\b)[a-z-]+(?: [\w-]+){0,2}(?: please| for now| here| yet)?$",
            "user",
        ),
        Cue("call|name", r"<> (?:it|this|that|the \S+(?: \S+)?|a \S+) (?!a day|when|if|with|from)\S", "user"),
        Cue(
            "per|each|every",
            r"(?:one|a single|two|\d+) \S.{0,40}? <> \S|<> (?!time|day|turn|now)\S.{2,50}? (?:can only|may only|must|should|gets?) \S",
            "user",
        ),
        Cue(
            "default",
            r"(?:the |our )?<> (?!branch)\S.{0,30}? (?:is|should be|stays|=) \S|\S.{5,80} by <>$",
            "user",
        ),
        Cue(
            "go|goes|live|lives|belong|belongs|stay",
            rf"{_THING} <> (?:to|in|into|under|on|next to|at|inside) (?!the next|sleep)\S",
            "user",
        ),
        Cue(
            "it|this|that|everything|them",
            r"(?:do|make|write|build|implement|code|handle|render|compute|keep|put|convert|host|run) <> (?:all )?(?:in|on|with|as|via|by|using|to|from|at|under|server|client)\b[ -]?(?!the (?:pr|branch|next)|me\b)\S.{2,}",
            "user",
        ),
        Cue(
            "merge|split|combine|separate",
            rf"<> (?!{_IT}|branch|main|master|pr\b|the (?:pr|branch)|with (?:main|master))\S.{{3,}}",
            "user",
        ),
        Cue(
            "when|if|unless|by default",
            r"(?:hide|show|disable|enable|lock|reject|block|allow|deny|forbid|require|redirect|truncate|mask|collapse|retry|return|log|fail|stop) \S.{1,80}? <>\b",
            "user",
        ),
        Cue(
            "i'd|i would",
            rf"<> (?:go with|stick with|start with|use|keep|drop|leave|put|make|avoid|do) (?!{_IT})\S",
            "user",
        ),
        Cue("only", r"(?:\S+ ){0,5}?we <> (?:need|want|support|use|have) \S", "user"),
        Cue("will", rf"{_THING} <> (?:have|use|support|stay|live|be (?:the|a|an)) \S", "user"),
        Cue("prefer|forbid|require", r"<> \S.{3,}", "user"),
        Cue(
            "name|prefix|suffix|limit|timeout|port|format|license|licence|repo|package|domain|budget|scope|goal|language|stack|database",
            r"(?:the |our )?(?:\w+ )?<> (?:is|will be|should be) (?!not|wrong|broken|missing|too|still|already|there|in\b|empty|ok|good|fine)\S",
            "user",
        ),
        # An assistant took one way and not another, says why, leaves something as it is, or recommends.
        Cue(
            "going with|sticking with|settling on|settle|go with|stick|opt for|switch|adopt|choose|pick|default to|use",
            rf"{_LETS} (?:also )?<>(?: (?:with|to|on|for))? (?!{_IT}|the \w+ tool)\S.{{0,80}}? (?:because|since|so that|as it|to keep|to avoid) \S",
            "assistant",
        ),
        Cue(
            "went with|gone with|stuck with|stayed with|going with|sticking with|settling on",
            r"(?:(?:i|we)(?:'ve|'m|'re)? )?<> (?!that\b|this\b|it\b)\S",
            "assistant",
        ),
        Cue(
            _OVER,
            rf"(?:{_DID_IT}|{_LETS} )?(?:[a-z]+ed|made|kept|put|built|wrote|set|chose|split|took|left|went|use|keep|put|store|write|build|prefer|avoid|place|define|leave|drop|skip|reuse|treat|wrap|go|add|make|move|return|create|base|rename)\b.{{0,120}}?<> (?P<refused>\S.{{0,100}})",
            "assistant",
        ),
        Cue("rather than", r"<> \S.{2,160}?, (?:i|we|so)\b", "assistant"),
        Cue(
            "instead", r"(?:changed|switched|moved|updated) (?:\S+ )?to (?:use )?\S.{2,60} <>\b", "assistant"
        ),
        Cue(
            "deliberately|intentionally|purposely",
            r"(?:(?:i|we|i've|we've|i have) (?:\w+ )?)?<> (?!has\b|have\b|is\b)\S",
            "assistant",
        ),
        Cue(
            "leav|left|keep|kept",
            rf"(?:so )?i(?:'ve| have|'ll| will|'m| am)?(?: also)? <>(?:e|ing)? (?!going|track|an eye|{_IT})\S.{{3,}}",
            "assistant",
        ),
        Cue("alone|as is|as-is|unchanged|untouched|intact", r"(?:leav|keep)\w* \S.{3,80} <>\b", "assistant"),
        Cue(
            "so i|so we",
            r"(?<=so\s)(?:i|we)(?:'m|'ll| will| am) (?:also )?(?:add|keep|us|mak|put|skip|treat|leav|pass|set|stor|mov|drop)\w* (?!it\b|them\b|this\b|that\b|sure)\S",
            "assistant",
        ),
        Cue(
            "because|since|so that|to avoid|to keep|to prevent|to preserve",
            rf"{_DID_IT}(?:used|placed|stored|named|structured|designed|implemented|moved|wrapped|limited|made|put|set|kept|chose|built|split|wrote) \S.{{2,120}}? <>\b",
            "assistant",
        ),
        Cue(
            "to preserve|to keep|to avoid|to prevent|to stay|to match|for simplicity",
            r"<> \S.{2,80}?,? (?:i|we|i'll|i'm|we'll) \S",
            "assistant",
        ),
        Cue(
            "i'm|i am",
            r"<> (?:deliberately )?(?:not (?:adding|using|changing|touching|making|introducing)|treating|skipping|limiting|scoping|restricting|defaulting|deferring) \S",
            "assistant",
        ),
        Cue(
            "i would|i'd",
            rf"<>(?: \w+)? (?:not )?(?:lean|go|put|keep|drop|use|leave|guard|recommend|suggest|treat|make|move|split|avoid|pick|choose|prefer|advise|rather)\b (?!{_IT})\S",
            "assistant",
        ),
        Cue(
            "recommend|suggest|propose|advise",
            r"i (?:strongly )?<> (?!you (?:also )?(?:add|check|look|run|try|read))\S",
            "assistant",
        ),
        Cue("recommendation|recommended|suggestion", r"my <>(?: \w+)?(?: is)? ?: ?\S.{3,}", "assistant"),
        Cue(
            "cleanest|simplest|safest|best|right|recommended|proper|correct|reliable|pragmatic|better|least risky",
            r"(?:the |my |a )?(?:\w+ )?<>(?: [\w-]+){0,2} (?:fix|option|approach|pattern|way|choice|solution|move|path|design|place|resolution)(?: [^,.]{1,40})? (?:is|would be) \S",
            "assistant",
        ),
        Cue(
            "cleanest|simplest|safest|best|right|better|appropriate|sufficient|safer|simpler|cleaner",
            r"\S.{3,100}? (?:is|seems|would be) (?:the )?(?:<> (?:choice|option|place|fit|approach|way|one|call)\b|<>(?: for [^,.]{1,60})?$)",
            "assistant",
        ),
        Cue(
            "we should|you should", rf"<> (?:use|keep|store|avoid|drop|skip|prefer) (?!{_IT})\S", "assistant"
        ),
        Cue(
            "should|needs to|need to|must",
            r"i (?:think|believe) \S.{3,80}? <> (?:be|stay|have|use|live|go)\b \S",
            "assistant",
        ),
        Cue(
            "out of scope|a separate pr|a separate change|a separate task|a separate feature",
            r"\S.{3,80}? (?:is|are|stays|as) (?:intentionally |deliberately )?<>\b",
            "assistant",
        ),
        Cue("on purpose|deliberately|intentionally", r"\S.{3,100}? <>$", "assistant"),
        Cue(
            "did not|didn't|haven't|won't|will not",
            r"i <> (?:add|added|change|changed|touch|touched|introduce|introduced|use|remove|rename|move|modify|modified|create|include)\b \S",
            "assistant",
        ),
        Cue(
            "recommendation|suggestion|preference|proposal", r"my <>(?: is| would be)(?: to)? \S", "assistant"
        ),
        *CHOICES,
    ),
    tells=TELLS,
    orders=ORDERS,
    doubts=r"^\W*(?:for example|e\.g\.)|(?:^|[,;:(–] ?|\b(?:but|and|or|then|so|as|what|see|check|wonder|wondering|ask|sure|know|tell) )\W*if\b|"
    r"\bif (?:you|that|needed|necessary|possible|so|not)\b|\b(?:whether|maybe|perhaps|might|could|would it|would be|may want|consider(?:ing)?|suppose|"
    r"what about|how about|thinking (?:of|about)|not sure|unsure|i wonder|undecided|(?:not|n't|never|yet to|have to|need to|"
    r"needs to|must|should|to|can|until (?:we|you)|before (?:we|you)|once (?:we|you)|when (?:we|you)|let me|help (?:me|us)|you|they) decide|"
    r"(?:not|n't) (?:yet |really )?(?:decided|agreed|chosen|settled)|such as when|"
    r"hypothetical(?:ly)?|alternatively|"
    r"optional(?:ly)?|you can|you could|users? can|was supposed|were supposed|should have|wanted to|instead of what)\b",
    asks=r"^\W*(?:and |but |so |ok |hmm |wait )?(?:who|what|when(?! [^,?]{3,60},)|where|why|which|how|is|are|was|were|does|did|do (?:i|we|you|they)|can|could|"
    r"should|would(?! rather)|will|shall|may|have you|has|explain|any)\b",
    weighs=r"\b(?:should|which|better|prefer|what (?:about|would|do you)|how should (?:we|i)|thoughts)\b",
    leaves=r"\beither\b.* or |, or (?:we|you|i) (?:could|can)\b|\bor (?:would you (?:prefer|rather)|should i|do you|leave|keep (?:it|them)|stick|just)\b|\b(?:two|three|several|a few) (?:ways|options|approaches|choices)",
    requests=r"^\W*(?:ok(?:ay)?,? |and |so |hey,? |yes,? |also,? |now,? ){0,2}(?:can|could|would|will) (?:you|we)(?: please| also| maybe| just| now){0,2} ",
    works=r"^\W*(?:(?:ok(?:ay)?|please|now|then|and|so|yes|yeah|sure|great|perfect|cool|good|no|also|just|let's|lets|i|we|you|go ahead and|can you|could you|but|well|all right|alright),? ){0,4}"
    r"(?:run|re-?run|test|commit|push|show|explain|check|fix|try|look|looks|read|open|continue|proceed|go|start|write|create|make (?:a|the|sure)|merge|deploy|build|verify|review|tell|give|help|add|"
    r"implement|execute|do|exit|quit|thanks|thank|perfect|great|nice|cool|awesome|hmm|yes|yep|yeah|ok|okay|done|wait|stop|never|sorry|oh|wow|still|got|see|saw|think|get|getting|ran|"
    r"already|git|npm|error|hi|hello|good|summari[sz]e|update the|apply|it's|its|that's|there|this|research|find|save|sure|also)\b",
    announces=r"\b(?:following|these|this|those|below|add|changes|here)\b[^:]{0,60}:$",
    because=r"\b(?:because|since(?! \d)|given that|as(?= it(?:'s)?\b(?! (?:is|was|stands)\b))|due to|in order to|so that|so(?= (?:it|we can|we don't|i can)\b)|the reason (?:is|being)|reason:)",
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
    r"(?:[,.!]? (?:please|first|it is|sounds good|is fine|is good|works|for \w+(?: \w+)?|looks good|thanks|is better|is best))?",
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
    alternatives=r" or |\b(?P<open>which|(?:what|how|where) (?:should|would|do you))\b",
    fillers="a an the to of for in on at with by and or is are be it this that we i you our my your let us lets let's use using "
    "used go going gone went should will would shall must want prefer please just only also now then so ok yes no not "
    "don't do does instead rather than over decided decide decision chose choose chosen pick picked switch stick keep kept "
    "we'll i'll as from all any some here there have has i'd like make",
    denies=r"\b(?:not|n't|no|never|without|avoid|drop|remove|stop)\b|n't\b",
    consents=r"yes to (?:all|both)|(?:that |it )?makes sense|(?:good|great|nice) (?:idea|plan|call)|go|go for it|approved|(?:yeah |yes )?that's (?:much )?better|yes please do|(?:perfect|great|ok|okay|yes|sure),? (?:implement|apply|do) (?:it|this|that)|implement (?:it|this|that)|(?:let's |lets )?(?:go|do|follow|use)(?: with| as)? (?:what )?you(?:r|'ve|'re)? ?(?:suggest(?:ion|ed|ing)?|recommend(?:ation|ed|ing)?|propos(?:al|ed)|said|plan|idea|approach)|(?:yes|yep|yeah|yea|sure|ok(?:ay)?|right|great|perfect|cool|good)\b,? (?:yes|please|continue|proceed|go ahead|go on|do (?:it|that|this)|let's (?:do|go)\b.{0,20}|lets (?:do|go)\b.{0,20}|apply (?:it|that|this)|that works|sounds good|works for me|makes sense|i agree|agreed|keep going|looks (?:good|right|great)|that's (?:right|fine|good))",
    refuses=r"(?:no|nope|nah|not|don't|do not|rather|instead|actually|wait)\b",
    overrides=r"\binstead\b",
    amends=r"but|except|however|instead|although|though|only|with the|no|not|wait|actually",
)
