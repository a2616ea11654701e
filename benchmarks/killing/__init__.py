"""`rackwright up` whose processes are killed at random moments."""
