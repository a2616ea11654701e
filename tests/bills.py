"""Software bills that tests of several parts use."""

from rackwright.model.software import Software

NVIDIA = Software(
    apt_mirror="http://mirror.site/apt",
    driver="580.173.02",
    fabric_manager="580.173.02",
    cuda="13.0",
    nccl="2.30.4",
    dcgm="4.6.0",
    container_toolkit="1.20.0",
)
