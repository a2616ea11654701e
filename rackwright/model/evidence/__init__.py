"""Evidence: records of readings only; nothing in them is declared or derived from the design."""
