"""The boot server: gives the declared machines of a site their installer over the network, and takes their word of being installed.

DHCP and TFTP are dnsmasq's, which runs under this process with files that are written here; HTTP is served here.
"""
