"""Rules about switches, ports and links."""
