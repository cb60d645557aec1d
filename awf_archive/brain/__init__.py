"""AWF's files of a workspace, `.brain`: work state, snapshots, preferences, events, and where snapshots go.

Knows files by their format only; how bytes reach the disk is handed in (`Disk`), so every write is the store's.
"""
