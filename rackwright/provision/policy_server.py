"""Serves the rules of `policy_rules` as a policy pack of the engine (service ``pulumirpc.Analyzer``).

Pulumi's own SDK of policy packs (``pulumi-policy``) wants a protobuf of another major version than Pulumi's SDK comes with, so that the two
cannot be installed side by side; its service is part of the latter.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from concurrent import futures
from typing import Any

import grpc
from google.protobuf import empty_pb2, json_format
from pulumi.runtime._grpc_settings import _GRPC_CHANNEL_OPTIONS
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc, plugin_pb2

from rackwright import __version__
from rackwright.plugin.values import whole_numbers
from rackwright.provision.policy_rules import RULES, SECRET, PlannedResource, PolicyRule, violations

PACK = "rackwright"
PARENT_POLL_SECONDS = 1.0
"""An engine that was killed cannot say goodbye; the pack notices by its parent."""
SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270"
"""Member that marks a value on the wire as special, and its value for a secret (sdk/go/common/resource/sig of Pulumi)."""
NAMESPACE = "rackwright:"


class PolicyPack(analyzer_pb2_grpc.AnalyzerServicer):
    """Answers the engine; names and signatures are those of the service."""

    def __init__(self) -> None:
        self._settings: Mapping[str, str] = {}

    def Handshake(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return analyzer_pb2.AnalyzerHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return plugin_pb2.PluginInfo(version=__version__)

    def GetAnalyzerInfo(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        policies = [
            analyzer_pb2.PolicyInfo(
                name=rule.name, displayName=rule.name, description=rule.description, enforcementLevel=analyzer_pb2.MANDATORY
            )
            for rule in RULES
        ]  # fmt: skip
        return analyzer_pb2.AnalyzerInfo(name=PACK, displayName=PACK, version=__version__, policies=policies)

    def Configure(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return empty_pb2.Empty()

    def ConfigureStack(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        self._settings = {
            name.removeprefix(NAMESPACE): value for name, value in request.config.items() if name.startswith(NAMESPACE)
        }
        return analyzer_pb2.AnalyzerStackConfigureResponse()

    def Analyze(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        inputs = whole_numbers(_opened(json_format.MessageToDict(request.properties)))
        planned = PlannedResource(request.type, request.name, inputs, request.options.protect)
        diagnostics = [_diagnostic(request.urn, rule, text) for rule, text in violations(planned, self._settings)]
        return analyzer_pb2.AnalyzeResponse(diagnostics=diagnostics)

    def AnalyzeStack(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return analyzer_pb2.AnalyzeResponse()

    def Remediate(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return analyzer_pb2.RemediateResponse()

    def Cancel(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002, D102
        return empty_pb2.Empty()


def _opened(value: Any) -> Any:
    """Plain data with `SECRET` in the place of what the engine keeps encrypted."""
    if isinstance(value, Mapping):
        if value.get(SIGNATURE) == SECRET_SIGNATURE:
            return SECRET
        return {name: _opened(element) for name, element in value.items()}
    return [_opened(element) for element in value] if isinstance(value, list) else value


def _diagnostic(urn: str, rule: PolicyRule, text: str) -> Any:
    return analyzer_pb2.AnalyzeDiagnostic(
        policyName=rule.name, policyPackName=PACK, policyPackVersion=__version__, description=rule.description, message=text,
        enforcementLevel=analyzer_pb2.MANDATORY, urn=urn,
    )  # fmt: skip


def serve() -> None:
    """Serve until the engine asks to stop or ends; prints the port, as the engine expects."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    parent = os.getppid()
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4), options=_GRPC_CHANNEL_OPTIONS)
    analyzer_pb2_grpc.add_AnalyzerServicer_to_server(PolicyPack(), server)
    sys.stdout.write(f"{server.add_insecure_port('127.0.0.1:0')}\n")
    server.start()
    sys.stdout.flush()
    while not ended.wait(PARENT_POLL_SECONDS) and os.getppid() == parent:
        pass
    server.stop(grace=None)
