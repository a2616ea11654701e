"""The sources of answers: over SSH, over Redfish, or from the evidence store.

Each turns every failure into an `Output`.
"""
