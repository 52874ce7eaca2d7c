"""The servers: how they are configured, reached, listed and asked. Knows nothing of the extension."""
