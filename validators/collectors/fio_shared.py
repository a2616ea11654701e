"""Speed of a shared file system from one node: ``rackwright-burn shared`` finds the mount, runs fio on it, then makes, stats and removes files.

The document holds fio's own report, the mount as /proc/mounts names it, and the rates of the metadata part.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import document, fio
from rackwright.model.evidence.storage import SharedStorage


def parse(output: str) -> SharedStorage:
    """The document; rates that were not measured are None."""
    try:
        result = document.read(output)
        rates = {name: result["metadata"][name] for name in ("creates_per_s", "stats_per_s", "removes_per_s")}
        report = result["fio"]
        return SharedStorage(
            tool=str(report["fio version"]),
            path=result["path"],
            filesystem=result["filesystem"],
            jobs=fio.jobs(report),
            **rates,
        )
    except ParseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(
            1, output, f"the document of rackwright-burn shared ({type(error).__name__}: {str(error)[:80]})"
        ) from None


COLLECTOR = Collector(
    produces=SharedStorage,
    parse=parse,
    seconds=300,
    roles=("accelerator",),
    command=("rackwright-burn", "shared"),
    load=True,
    place=8,
)
