"""Sizing backwards: from a number of accelerators to a site file that passes every rule.

Planning assumptions are data (``sizing_practice.yaml``, ``fabric_presets.yaml``); everything else is measured on the design itself, so that
sizing never knows less than the rules.
"""

from rackwright.design.sizing.calibration import with_calibration
from rackwright.design.sizing.fit import Sized, size_site
from rackwright.design.sizing.request import SizeRequest
from rackwright.design.sizing.text import site_text

__all__ = ["SizeRequest", "Sized", "site_text", "size_site", "with_calibration"]
