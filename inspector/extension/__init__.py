"""What the extension says, as pure functions: no I/O, no SDK, no Textual."""
