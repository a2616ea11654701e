"""Reading from the node's own drives is as fast as they are together."""

from rackwright.compare.threshold import drive_share

CHECK = drive_share("read", lambda drives: drives.read_gbytes_per_s_each)
