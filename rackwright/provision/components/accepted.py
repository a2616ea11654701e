"""What a stack waits for until its gate has opened; the plugin ``pulumi-resource-rackwright`` carries it out."""

from __future__ import annotations

from typing import Any

import pulumi

from rackwright.model.resource import AcceptedSubject
from rackwright.plugin import acceptance_wire


class AcceptedResource(pulumi.CustomResource):
    """A node, rack, fabric, pool or part of one, scalable unit or site that is released; whatever depends on it waits (``custom_timeouts``)."""

    def __init__(self, name: str, subject: AcceptedSubject, opts: pulumi.ResourceOptions | None = None) -> None:
        outputs: dict[str, Any] = dict.fromkeys(acceptance_wire.OUTPUTS)
        super().__init__(acceptance_wire.TOKEN, name, {**subject.model_dump(), **outputs}, opts)

    @property
    def state(self) -> pulumi.Output[str]:
        """``released``; ``held`` after a refresh that noticed it."""
        value: pulumi.Output[str] = pulumi.get(self, "state")
        return value

    @property
    def since(self) -> pulumi.Output[str]:
        """ISO time since which it is so."""
        value: pulumi.Output[str] = pulumi.get(self, "since")
        return value
