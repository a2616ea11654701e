"""Thin typed records of the Redfish documents we read, one file per resource; missing parts become None or empty."""
