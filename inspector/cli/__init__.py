"""The command line: one of two faces on the host."""
