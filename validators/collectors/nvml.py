"""Every reading that NVML gives of the accelerators, from the probe's one JSON document, whose form is the record's."""

from pydantic import ValidationError

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.accelerator import Accelerators


def parse(output: str) -> Accelerators:
    """One JSON object with the fields of `Accelerators`."""
    try:
        return Accelerators.model_validate_json(output)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        raise ParseError(1, output, f"the accelerators as JSON ({place}: {first['msg']})") from None


COLLECTOR = Collector(produces=Accelerators, parse=parse, seconds=60, roles=("accelerator",), library="nvml")
