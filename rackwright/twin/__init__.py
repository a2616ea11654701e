"""The digital twin: the declared site, simulated behind SSH endpoints, Redfish sockets, NVML and the fabric simulator."""
