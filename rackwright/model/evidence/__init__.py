"""What was seen. Records here hold readings only; nothing in them was asked for or derived from the design."""
