"""An inspector for the MCP extension `ai.nimblebrain/resource-arguments`."""

__version__ = "0.1.0"
