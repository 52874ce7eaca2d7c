"""The bundled workspace: five small servers on the MCP SDK, started as child processes."""
