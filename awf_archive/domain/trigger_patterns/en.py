"""English."""

from awf_archive.domain.trigger_patterns.shape import Patterns

_DAY = (
    r"(?:tomorrow(?: morning| evening| night)?|later|next time|soon|again|on monday|monday|"
    r"next week|after (?:lunch|"
    r"the weekend)|in the morning|another day|tonight)"
)
_FOR_NOW = r"(?:for (?:today|now|tonight|the (?:day|night)))"

PATTERNS = Patterns(
    language="en",
    openers=r"ok|okay|k|alright|all right|right|well|so|and|then|now|yes|yep|yeah|sure|great|good|"
    r"cool|perfect|fine|"
    r"thanks|thank you|i|i'm|i am|i'll|i will|i've|i have|we|we'll|we will|we've|will|"
    r"that will be|that'll be|let's|lets|let us|"
    r"we can|we should|guess|think|it's|that's|oh|hey|just|please|"
    r"i think|i guess|got it",
    closers=r"now|then|please|thanks|thank you|everyone|all|guys|for now|for today|for the day|"
    r"for the night|for tonight|"
    r"here|today|tonight|tomorrow|later|soon|again|too|man|mate|buddy|claude|instead|as well|"
    r"and (?:thanks|bye)|perfect|great|good|cool|"
    r"on monday|next week|in a bit|home",
    joint=r"[\s]+",
    leaving=(
        r"(?:good ?)?bye+(?:[ -]?bye+)?",
        r"(?:good ?night|gn|nighty night|have a (?:good|nice) (?:one|day|night|evening|weekend))",
        r"(?:see|c) (?:you|ya|u)(?: (?:around|there|then|"
        + _DAY
        + r"))?|cya|ttyl|talk (?:to you )?(?:later|soon|tomorrow)",
        (
            r"(?:have (?:got )?to|gotta|got to|need to|must|should|better) (?:go|run|leave|"
            r"head (?:out|home|off))"
        ),
        (
            r"(?:leaving|out|heading (?:out|home|off)|off(?: (?:to|for) (?:lunch|bed|dinner|home|"
            r"a meeting))?)(?: the office)?"
        ),
        r"(?:going|go|off|out) (?:to|for) (?:lunch|dinner|bed|sleep|a break)",
        r"(?:lunch|dinner|bed|home) ?time|time (?:to go(?: home)?|for (?:lunch|bed))",
        r"(?:(?:taking|take|need) a |the )?(?:lunch|coffee|dinner|short) break",
        (
            r"(?:be )?back (?:later|soon|tomorrow|on monday|next week|after lunch)|catch (?:you|"
            r"ya) (?:later|tomorrow)"
        ),
        r"(?:need|want|going|off|time) to (?:sleep|bed|eat|rest|go to (?:sleep|bed))",
        r"brb|afk|be right back|back in .{1,20}",
        (
            r"(?:stop(?:ping)?|wrap(?:ping)? (?:it )?up|paus(?:e|ing)|leave it|leave this|end(?:ing)?|"
            r"finish(?:ing)?|quit(?:ting)?|break(?:ing)?) (?:(?:it|this|things) )?(?:here |there )?"
        )
        + _FOR_NOW,
        r"(?:enough|it|all|done|finished) " + _FOR_NOW,
        r"(?:call|calling) it (?:a )?(?:day|night|quits)",
        r"(?:continue|resume|carry on|go on|finish)(?: (?:this|it|here))? " + _DAY,
        r"pick (?:this|it|things) up(?: again)?(?: from here)? " + _DAY,
        r"save(?: (?:and|then) (?:quit|exit|close))?",
        r"(?:shutting|shut) (?:down|off)(?: (?:my|the) (?:computer|laptop|pc))?(?: (?:now|"
        + _FOR_NOW
        + r"))",
        r"(?:closing|quitting|close) (?:the |this )?(?:app|terminal|laptop|window) now",
        r"sign(?:ing)? off|logging off|log off(?: now)?|clocking out",
    ),
    leaving_open=(),
    deciding=(
        r"agree(?:d)?(?: (?:with|on) .{1,60})?",
        (
            r"(?:do|use|take|keep|pick|choose|want|prefer) (?:it|this|that|this one|that one|"
            r"the (?:first|second|third|last|latter|former)(?: (?:one|option|"
            r"approach))?)(?: (?:that way|this way|like (?:that|this)|way))?"
        ),
        r"(?:do|try|apply|make) (?:it|that|this|(?:that|this|the|those|these) changes?)|yes to all|proceed",
        r"go (?:ahead|for it)(?: (?:with|and do) (?:it|that|this))?",
        (
            r"(?:option|plan|approach|solution|variant) (?:[a-z0-9]|one|two|three)(?: (?:it is|please|"
            r"sounds good|is fine))?"
        ),
        r"approved?|decided|settled|deal|confirmed|lgtm",
        (
            r"make it so|ship it|(?:perfectly )?(?:fine|good|ok|okay|happy|great) (?:with|by) (?:that|"
            r"this|it|me)(?: (?:one|option|approach))?"
        ),
        (
            r"(?:the )?(?:first|second|third|last|latter|former) (?:option|one|approach|plan|"
            r"variant)(?: (?:please|it is))?"
        ),
        (
            r"(?:do|use|choose|pick|take|prefer|want|go (?:for|with)) (?:the )?(?:option|plan|"
            r"approach|solution|variant) \w{1,12}"
        ),
    ),
    deciding_open=(
        (
            r"(?:we're )?(?:go(?:ing)?|went|stick(?:ing)?|stay(?:ing)?|settle(?:d)?) (?:with|for|"
            r"on) (?!me\b|you\b)\S"
        ),
        (
            r"(?:let's|lets|let us|we'll|we will|i'll|i will|we're going to|i'm going to) (?:use|"
            r"adopt|choose|pick|take|keep) (?!.{1,60} to \w|a look|care)\S"
        ),
        r"(?:have )?decided (?:to|on|that|for)\b|decided:",
        r"(?:the |our |my )?decision(?: is\b|:)",
    ),
    agreeing=(
        r"ok+|okay|okey|k|kk",
        r"yes|yep|yeah|sure|(?:that|this) works(?: for me)?",
        r"(?:sounds|looks|seems) (?:good|great|fine|right|reasonable)(?: to me)?",
    ),
    filler=(
        r"(?:many |much )?(?:thanks|thank you|thx|ty)\b.{0,30}",
        r"(?:sounds|looks|seems|all|very) (?:good|great|fine|perfect)(?: now| to me)?",
        (
            r"great(?: work| job)?|perfect|nice(?: work)?|cool|awesome|good(?: job| work)?|well done|"
            r"back in .{1,20}"
        ),
    ),
    asking=r"^(?:\W*)(?:who|what|when|where|why|which|how|is|are|was|were|do|does|did|can|could|"
    r"should|would|will|shall|"
    r"may|if|unless|when|have you|has|explain)\b|\b(?:not sure|whether|or not)\b",
    when=r"(?:if|unless|when|whenever|once|after|before|suppose)\b",
    needs=r"[a-z]",
)
