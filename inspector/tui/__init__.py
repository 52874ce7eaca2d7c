"""The terminal UI: one of two faces on the host."""
