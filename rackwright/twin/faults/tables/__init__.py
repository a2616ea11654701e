"""Tables of faults, one per domain; `FAULTS` of each module here is loaded."""
