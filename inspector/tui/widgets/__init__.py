"""The widgets of the terminal UI, each with its styles beside it."""
