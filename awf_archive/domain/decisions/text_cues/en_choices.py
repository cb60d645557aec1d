"""English choices of an assistant: against what, why, what it left, and what it laid down."""

from awf_archive.domain.decisions.text_cues.shape import Cue

CHOICES = (
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
)
