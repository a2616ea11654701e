"""A small transformer, trained by all accelerators of a node: the JSON lines of ``rackwright-burn finetune``.

Optional: it needs a Python with PyTorch on the node (``acceptance.torch_python`` of the site). The job is ours and travels in the probe (``probe/smoke``);
it is the same on CUDA, ROCm and Ascend. Other lines than its own (warnings of libraries) are passed over.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import json_lines
from rackwright.model.evidence.smoke import TrainedBlock, TrainedRank, Training


def parse(output: str) -> Training:
    """Every line; one of a job that did not end, or ended with fewer ranks than it began with, is refused."""
    records = json_lines.read(output, ("step", "rank", "end"))
    ends = records["end"]
    if len(ends) != 1 or ends[0].get("ranks") != len(records["rank"]):
        raise ParseError(1, output[-200:], "the end of rackwright-burn finetune and a line of every rank")
    try:
        return Training(
            tool=ends[0]["tool"],
            backend=ends[0]["backend"],
            parameters=ends[0]["parameters"],
            steps=ends[0]["steps"],
            blocks=[TrainedBlock.model_validate(step) for step in records["step"]],
            ranks=sorted((TrainedRank.model_validate(step) for step in records["rank"]), key=lambda step: step.rank),
        )
    except (ValueError, KeyError) as error:
        raise ParseError(1, output[-200:], f"lines of rackwright-burn finetune ({str(error)[:80]})") from None


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
