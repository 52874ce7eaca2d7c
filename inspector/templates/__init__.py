"""RFC 6570 read backwards: which template does a URI expand from? Pure."""
