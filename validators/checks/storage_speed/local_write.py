"""Writing to the node's own drives is as fast as they are together."""

from rackwright.compare.threshold import drive_share

CHECK = drive_share("write", lambda drives: drives.write_gbytes_per_s_each)
