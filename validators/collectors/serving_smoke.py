"""Text generated behind one server per accelerator of a node: the JSON lines of ``rackwright-burn serving``.

Optional: it needs a Python with PyTorch on the node (``acceptance.torch_python`` of the site). The servers are ours, of plain PyTorch, and speak OpenAI's
completions protocol on the loopback; they need no weights and give the same words every time, which a batching server such as vLLM does
not promise. The job travels in the probe (``probe/smoke``) and is the same on CUDA, ROCm and Ascend.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import json_lines
from rackwright.model.evidence.smoke import Replica, Serving


def parse(output: str) -> Serving:
    """Every line; one of a run that did not end, or lacks a server that it started, is refused."""
    records = json_lines.read(output, ("replica", "end"))
    ends = records["end"]
    if len(ends) != 1 or ends[0].get("replicas") != len(records["replica"]):
        raise ParseError(1, output[-200:], "the end of rackwright-burn serving and a line of every server")
    try:
        return Serving(
            tool=ends[0]["tool"],
            prompt_tokens=ends[0]["prompt_tokens"],
            answer_tokens=ends[0]["answer_tokens"],
            replicas=[Replica.model_validate(replica) for replica in records["replica"]],
        )
    except (ValueError, KeyError) as error:
        raise ParseError(1, output[-200:], f"lines of rackwright-burn serving ({str(error)[:80]})") from None


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
