"""No accelerator has retired more memory pages than the limit, and none has a pending page."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.retired_pages",
    # a pending page comes first: it is in use until the restart
    value=lambda device: "a page waits to be retired" if device.retired_pages_pending else device.retired_pages,
    good=lambda pages, most: isinstance(pages, int) and pages <= most,
    what="retired pages",
    expected="at most {bound:g}, none pending",
    applies=has_capability("retired_pages"),
)
