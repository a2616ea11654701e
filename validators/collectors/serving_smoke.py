"""Text generated behind one server per accelerator of a node: the JSON lines of ``rackwright-burn serving``.

Optional: it needs a Python with PyTorch on the node (``acceptance.torch_python`` of the site). The servers are ours, of plain PyTorch, and speak OpenAI's
completions protocol on the loopback; they need no weights and give the same words every time, which a batching server such as vLLM does
not promise. The job travels in the probe (``probe/smoke``) and is the same on CUDA, ROCm and Ascend.
"""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import json_lines
from rackwright.collect.loadlogs.json_lines import Line
from rackwright.model.evidence.smoke import Replica, Serving


def parse(output: str) -> Serving:
    """Every line; one of a run that did not end, or lacks a server that it started, is refused."""
    return json_lines.read_job(output, "serving", ("replica",), "server", _serving)


def _serving(end: Line, records: dict[str, list[Line]]) -> Serving:
    return Serving(
        tool=end["tool"],
        prompt_tokens=end["prompt_tokens"],
        answer_tokens=end["answer_tokens"],
        replicas=[Replica.model_validate(replica) for replica in records["replica"]],
    )


COLLECTOR = Collector(
    produces=Serving,
    parse=parse,
    seconds=600,
    roles=("accelerator",),
    command=("rackwright-burn", "serving", "--python", "{torch_python}"),
    vendors=("nvidia", "amd", "huawei"),
    load=True,
    place=11,
    optional=True,
)
