"""Drives of a machine, erased by its BMC on request, with evidence of each."""
