"""Writing to the node's data drives reaches their summed rate. A job with errors makes the verdict inconclusive."""

from rackwright.compare.threshold import drive_share

CHECK = drive_share("write", lambda drives: drives.write_gbytes_per_s_each)
