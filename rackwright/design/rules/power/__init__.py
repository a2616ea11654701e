"""Rules about feeds, circuits and power supplies."""
