"""Parts of the simulated hardware, one file per domain: what can be wrong with it, healthy unless a fault says otherwise."""
