"""The stack ``stacks/network`` as a step of a job: the configurations of switches."""

from __future__ import annotations

from rackwright.export import ExportRequest
from rackwright.flow import lossless_class, switch_changes, switch_sessions
from rackwright.flow.job import Job
from rackwright.provision.result import NetworkResult, Verb


def apply_network(job: Job, verb: Verb, fabric: str, unprotected: str) -> NetworkResult:
    """Apply the stack ``stacks/network`` to the switches; `fabric` and `unprotected` as in `network_up.apply_network`.

    Raises what `required_switches` raises.
    """
    switch_sessions.connector(
        job.design, job.access
    )  # a site without an account on switches fails before an engine starts
    required = switch_changes.required_switches(
        job.design, ExportRequest(fabric, lossless=lossless_class.of_site(job.design))
    )
    from rackwright.provision import network_up  # Pulumi and gRPC, of no use where a wrong call ends before

    with job.step("network" if verb == "up" else verb, len(required)) as step:
        result = network_up.apply_network(
            job.design.site.site, job.workspace, site_path=job.path, verb=verb, fabric=fabric, unprotected=unprotected,
            expected=[switch.name for switch in required] if verb in ("up", "preview") else (), on_event=step.machine,
        )  # fmt: skip
        step.end(result.summary(), good=result.good)
    return result
