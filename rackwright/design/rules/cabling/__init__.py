"""Rules about cables."""
