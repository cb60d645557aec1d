"""The site: pages made from the archive, the shell that Material gives them, building and publishing.

`build.build` is what the command line calls; MkDocs itself comes in through `plugin.AwfPlugin`.
"""
