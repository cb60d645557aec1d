"""A stranger's text → safe HTML, and the cache of rendered turns (spec/site.md 3.3, 6).

Nothing is loaded here: markdown-it-py and Pygments come with the modules that use them.
"""
