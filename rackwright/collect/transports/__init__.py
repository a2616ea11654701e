"""The ways to an answer: over SSH, over Redfish, or out of the evidence store. Each turns every failure into an `Output`."""
