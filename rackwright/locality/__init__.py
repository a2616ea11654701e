"""Which nodes of a design are near each other, and which jobs fit there: shared by proofs, exports and the platform.

Pure.
"""
