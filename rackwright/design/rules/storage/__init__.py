"""Rules about storage tiers."""
