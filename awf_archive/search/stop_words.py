"""Words that say nothing about a topic; outside quotes they are dropped, unless there is nothing else.

Vietnamese ones count only with their marks: `va` may be `va chạm`. All of them are indexed.
"""

_WORDS = """
a about an and are as at be been but by can could did do does for from had has have how i if in into is it its
me my no not of on or our out so that the their them then there these they this to was we were what when where
which who why will with would you your
và là của các những cho thì mà ở đã đang sẽ với được bị có này đó để từ trong nào gì như thế nên cũng rồi
的 了 是 在 和 与 或 吗 呢 吧 啊 就 都 也 把 被 为 对
の は が を に で と も
"""

STOP_WORDS = frozenset(_WORDS.split())
