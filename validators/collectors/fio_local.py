"""Speed of a node's own drives: fio's report on the folder of the local scratch file system (``rackwright-burn fio --directory /local``).

Sixteen jobs each read and write files of their own past the page cache; the files are removed again. No drive is opened itself.
"""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import fio
from rackwright.model.evidence.storage import LocalFilesystems


def parse(output: str) -> LocalFilesystems:
    """Every job of the report."""
    document = fio.report(output)
    return LocalFilesystems(tool=str(document.get("fio version", "")), jobs=fio.jobs(document))


COLLECTOR = Collector(
    produces=LocalFilesystems,
    parse=parse,
    seconds=300,
    roles=("accelerator",),
    owed=lambda node: node.server.local_storage is not None,
    command=("rackwright-burn", "fio", "--directory", "/local"),
    load=True,
    place=7,
)
