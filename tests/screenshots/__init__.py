"""The pictures of the README and the guides, taken of the program itself."""
