"""Plays the host: puts the extension's rules, the templates and the servers together."""
