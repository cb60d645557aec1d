"""What an English sentence holds that tells or orders, and so decides nothing.

Rules said as plainly as facts ("weeks start on Monday") are not looked for in English: of what they found in real
conversations one in ten was one (docs/quality.md).
"""

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
