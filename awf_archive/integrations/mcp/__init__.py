"""The MCP server: what an assistant may ask of the archive, over stdio (docs/mcp.md).

Everything of the SDK is loaded here and nowhere else: it takes most of a second.
"""
