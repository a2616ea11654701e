"""Rules about air and liquid."""
