"""Brings firmware of a machine to its baseline through the UpdateService of its BMC."""
