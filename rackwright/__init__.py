"""rackwright: infrastructure as code for GPU clusters, from the rack to the signed handover."""

__version__ = "0.1.0"
