"""Combines the runs of a burn by vendors' tools into the record that our own burn makes.

Vendors' tools compare no results, so mismatches are None and digests empty: values that they do not report are not
judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import BurnedDevice, Sample, Samples


def devices(
    identities: Mapping[int, Mapping[str, Any]],
    runs: Sequence[Section],
    samples: Mapping[int, Sequence[Sample]],
    rate: Callable[[Section], float],
    size: Callable[[Section], int],
) -> list[BurnedDevice]:
    """Every accelerator with its runs in order of time; ParseError for a run on an accelerator without an identity."""
    for run in runs:
        if run.integer("device") not in identities:
            raise ParseError(run.line, f"device={run.facts.get('device')}", "an accelerator that was named before")
    burned = []
    for number, identity in sorted(identities.items()):
        device_runs = [run for run in runs if run.integer("device") == number]
        precisions = dict.fromkeys(run.word("precision") for run in device_runs)
        gemms = [
            _gemm(name, [run for run in device_runs if run.facts["precision"] == name], rate, size)
            for name in precisions
        ]
        burned.append(
            _checked({**identity, "gemms": gemms, "samples": Samples.of(samples.get(number, ()))}, device_runs)
        )
    return burned


def _gemm(
    precision: str, runs: list[Section], rate: Callable[[Section], float], size: Callable[[Section], int]
) -> dict[str, Any]:
    began, ended = min(run.second("from") for run in runs), max(run.second("until") for run in runs)
    return {
        "precision": precision,
        "size": size(runs[0]),
        "began": began,
        "seconds": round(ended - began, 2),
        "tflops": [rate(run) for run in runs],
        "mismatches": None,
        "digest": "",
    }


def _checked(fields: dict[str, Any], runs: list[Section]) -> BurnedDevice:
    try:
        return BurnedDevice.model_validate(fields)
    except ValueError as error:
        line = runs[0].line if runs else 1
        raise ParseError(line, str(fields)[:80], f"a burn ({str(error)[:80]})") from None
