"""The BMCs of a twin: one Redfish service over HTTPS per machine, rack PDU and CDU."""
