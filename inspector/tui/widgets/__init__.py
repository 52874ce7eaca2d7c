"""The parts of the screens. Each keeps its styles beside it and talks in messages."""
