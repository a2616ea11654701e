#!/bin/env python3
# md5sum="a819859cf8d3545043aae52fd4472408"
# POAP of compute-leaf-01: takes its configuration, and nothing that another switch was meant to have.
import hashlib
import os
import sys

from cli import cli

SERIAL = "FDO25500ZWG"
URL = "http://10.64.0.2:8080/switches/compute-leaf-01/startup-config"
SHA256 = "bd7ff62fe74c7d5cf0a92211a54ce25e88e9dc055a0a77f33745e3bf6254e96f"

if os.environ.get("POAP_SERIAL", SERIAL) != SERIAL:
    sys.exit("this switch is not %s: read its label, swap it or correct the list of switches" % SERIAL)
cli("terminal dont-ask ; copy %s bootflash:poap.cfg vrf management" % URL)
with open("/bootflash/poap.cfg", "rb") as stream:
    found = hashlib.sha256(stream.read()).hexdigest()
if found != SHA256:
    sys.exit("the configuration did not arrive whole: SHA-256 %s in place of %s" % (found, SHA256))
cli("copy bootflash:poap.cfg scheduled-config")
os.remove("/bootflash/poap.cfg")
