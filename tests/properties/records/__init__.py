"""Strategies for the records of collectors, by domain: `RECORDS`, collector id -> strategy."""
