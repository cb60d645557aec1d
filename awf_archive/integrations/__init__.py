"""Where the chat tools meet the archive: hooks, the worker behind them, what `install` puts where (SPEC 7).

A hook's own modules (`hook*`, `queue`) load next to nothing: the tool starts a process of ours at every step.
"""
