"""The index of a team or a company, on OpenSearch: what `SearchBackend` asks for, for many archives at once.

The client is loaded by `client` only. Terms are made by our analysis on both sides, so the cluster cuts no words.
"""
