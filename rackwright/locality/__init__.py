"""Which nodes of a design are near each other, and what fits there: the one answer for proofs, exports and the platform. Pure."""
