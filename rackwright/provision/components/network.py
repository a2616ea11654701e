"""The configurations of the switches of a site, in waves; the plugin ``pulumi-resource-rackwright`` carries them out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pulumi

from rackwright.model.resource import DeclaredSwitch
from rackwright.plugin import switch_wire
from rackwright.redfish import wire


class SwitchConfigResource(pulumi.CustomResource):
    """The configuration of one switch. Deleting it never touches the switch."""

    def __init__(
        self, switch: DeclaredSwitch, opts: pulumi.ResourceOptions | None = None, *, secret: bool = False
    ) -> None:
        """`secret`: whether its files hold secrets: the engine then keeps them encrypted."""
        inputs: dict[str, Any] = switch.model_dump()
        if secret:
            inputs["files"] = pulumi.Output.secret(inputs["files"])
        outputs: dict[str, Any] = dict.fromkeys(switch_wire.OUTPUTS)
        super().__init__(switch_wire.TOKEN, switch.name, {**inputs, **outputs}, opts)

    @property
    def differences(self) -> pulumi.Output[list[str]]:
        """What the switch runs otherwise, a line each; empty after it was applied."""
        value: pulumi.Output[list[str]] = pulumi.get(self, "differences")
        return value


class NetworkComponent(pulumi.ComponentResource):
    """The switches of one stack. A wave follows the one before it only when every switch of that was confirmed.

    Each is protected, unless its name is in `unprotected`.
    """

    def __init__(
        self,
        name: str,
        waves: Sequence[Sequence[DeclaredSwitch]],
        settings: Mapping[str, str],
        *,
        secrets: Collection[str] = (),
        unprotected: Collection[str] = (),
    ) -> None:
        """`settings`: how switches are reached (`wire.CONFIG`); `secrets`: switches whose files hold secrets."""
        super().__init__(f"{wire.PACKAGE}:index:Network", name)
        self.provider = pulumi.ProviderResource(
            wire.PACKAGE, f"{name}-switches", dict(settings), pulumi.ResourceOptions(parent=self)
        )
        self.switches: dict[str, SwitchConfigResource] = {}
        before: list[pulumi.Resource] = []
        for wave in waves:
            done: list[pulumi.Resource] = []
            for switch in wave:
                options = pulumi.ResourceOptions(
                    parent=self, provider=self.provider, protect=switch.name not in unprotected, depends_on=before
                )
                self.switches[switch.name] = SwitchConfigResource(switch, options, secret=switch.name in secrets)
                done.append(self.switches[switch.name])
            before = done
        self.register_outputs({})

    @property
    def differences(self) -> pulumi.Output[dict[str, list[str]]]:
        """Switches that run something else, with the lines; as a refresh observed it."""
        by_name = pulumi.Output.all(**{name: switch.differences for name, switch in self.switches.items()})
        return by_name.apply(lambda lines: {name: list(some) for name, some in lines.items() if some})
