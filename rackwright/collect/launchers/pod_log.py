"""Reads the log of one pod that runs the probe: the log holds the answers of the probe."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from rackwright.base.foreign import RefusedAnswerError
from rackwright.collect import wire
from rackwright.collect.launchers import pod_status
from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.collect.output import Output, unanswered_outputs
from rackwright.collect.transports import fleet

ENDED = ("Succeeded", "Failed")
MOST_WORDS = 500
"""Characters kept of output that is no answer; its end tells why the probe did not start."""


class PodListener:
    """Collects the answers of one host, however often its log is read from the start."""

    def __init__(self, host: fleet.FleetHost, most_bytes: int, put: Callable[[fleet.Arrival], None]) -> None:
        self.host = host
        self.through = False
        self.most = most_bytes
        """Upper limit of its log, in bytes."""
        self._put = put
        self._answers: list[Output] = []

    def conversation(self) -> wire.Conversation:
        """A parser for its log, at the first byte."""
        return wire.Conversation(self.host.node, self.host.asks, self.most)

    def hear(self, output: Output) -> None:
        """Take an answer unless an earlier reading of the log had it; if tests have rests between them, report it at
        once.
        """
        if output not in self._answers:
            self._answers.append(output)
            if self.host.cooldown is not None:
                self._put(fleet.Arrival(self.host, [output], through=False))

    def end(self, reason: str, beginning: bytes = b"") -> None:
        """End the conversation: unanswered questions get `reason` as their error, with the `beginning` of the other
        output.
        """
        if not self.through:
            self.through = True
            outputs = self._answers if self.host.cooldown is None else []
            answered = {wire.question_id(output) for output in self._answers}
            missing = tuple(ask for ask in self.host.asks if ask.id not in answered)
            self._put(
                fleet.Arrival(self.host, [*outputs, *unanswered_outputs(self.host.node, missing, reason, beginning)])
            )


class ProbePod:
    """The pod of one host and its last known state."""

    def __init__(self, listener: PodListener, job: str, seconds: float) -> None:
        self.listener, self.job, self.seconds = listener, job, seconds
        self.reading = False
        self._begun = time.monotonic()
        self._name, self._phase = "", ""
        self._seen: dict[str, Any] = {}

    @property
    def through(self) -> bool:
        """Whether its last arrival has been put."""
        return self.listener.through

    @property
    def readable(self) -> bool:
        """Whether its log can be read now: after the pod has ended, or while it runs if its tests take hours."""
        return self._phase in ENDED or (self._phase == "Running" and self.listener.host.cooldown is not None)

    @property
    def started(self) -> bool:
        """Whether its container was ever seen to run."""
        return self._phase not in ("", "Pending")

    def see(self, pod: dict[str, Any] | None) -> None:
        """Take the current state of the pod in the API; None: the pod is missing."""
        if pod is not None:
            self._seen = pod
            self._name, self._phase = str(pod["metadata"]["name"]), str((pod.get("status") or {}).get("phase"))
        elif self._name and not self.reading:
            self.listener.end(f"the pod on {self.listener.host.node} was deleted by somebody, or evicted")

    def late(self, seconds: float) -> bool:
        """Whether it was created more than `seconds` ago."""
        return time.monotonic() - self._begun > seconds

    async def read(self, kubectl: Kubectl) -> None:
        """Read the log until the last line of the probe or the end of the pod; a log that breaks off is read again
        later.
        """
        over, tail, why = self._phase in ENDED, b"", ""
        conversation = self.listener.conversation()
        try:
            async for block in self._log(kubectl, over=over):
                for output in conversation.take(block):
                    self.listener.hear(output)
                tail = (tail + block)[-MOST_WORDS:]
                if conversation.ended:
                    self.listener.end(wire.LEFT_OUT)
                    return
        except KubectlError as failure:
            why = str(failure)
        except RefusedAnswerError as failure:
            self.listener.end(f"the pod on {self.listener.host.node}: {failure}", failure.beginning)
            return
        if over:
            reasons = filter(None, [why, pod_status.ended(self._seen), _last_line(tail)])
            self.listener.end(
                f"the probe on {self.listener.host.node} ended early ({'; '.join(reasons) or 'no reason'})"
            )
        self.reading = False  # the next look finds it still running, or ended

    async def _log(self, kubectl: Kubectl, *, over: bool) -> AsyncIterator[bytes]:
        if over:
            yield await kubectl.call("logs", f"pod/{self._name}", most=self.listener.most)
        else:
            async for block in kubectl.follow("logs", f"pod/{self._name}", "--follow"):
                yield block


def _last_line(tail: bytes) -> str:
    """The last line, unless it ends an answer: the message of a shell that cannot start the probe."""
    lines = tail.decode(errors="replace").strip().splitlines()
    return "" if not lines or lines[-1].endswith("}") or len(lines[-1]) >= MOST_WORDS else lines[-1]
