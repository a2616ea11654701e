"""Verbs that write, sign and verify the handover."""
