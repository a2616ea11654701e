"""A small transformer, trained by all accelerators of a node: the JSON lines of ``rackwright-burn finetune``.

Optional: it needs a Python with PyTorch on the node (``acceptance.torch_python`` of the site). The job is ours and travels in the probe (``probe/smoke``);
it is the same on CUDA, ROCm and Ascend. Other lines than its own (warnings of libraries) are passed over.
"""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import json_lines
from rackwright.collect.loadlogs.json_lines import Line
from rackwright.model.evidence.smoke import TrainedBlock, TrainedRank, Training


def parse(output: str) -> Training:
    """Every line; one of a job that did not end, or ended with fewer ranks than it began with, is refused."""
    return json_lines.read_job(output, "finetune", ("step", "rank"), "rank", _training)


def _training(end: Line, records: dict[str, list[Line]]) -> Training:
    return Training(
        tool=end["tool"],
        backend=end["backend"],
        parameters=end["parameters"],
        steps=end["steps"],
        blocks=[TrainedBlock.model_validate(step) for step in records["step"]],
        ranks=sorted((TrainedRank.model_validate(rank) for rank in records["rank"]), key=lambda rank: rank.rank),
    )


COLLECTOR = Collector(
    produces=Training,
    parse=parse,
    seconds=600,
    roles=("accelerator",),
    command=("rackwright-burn", "finetune", "--python", "{torch_python}"),
    vendors=("nvidia", "amd", "huawei"),
    load=True,
    place=10,
    optional=True,
)
