"""The server by which an assistant uses Hometown, over the Model Context Protocol (MCP)."""
