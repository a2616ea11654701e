"""Parts of the simulated hardware, one file per domain: the fields that a fault can change, with healthy defaults."""
