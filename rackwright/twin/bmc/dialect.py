"""The data of one Redfish dialect (``rackwright/twin/dialects``)."""

from __future__ import annotations

from typing import Literal

from rackwright.model.base import Record


class SpokenAccelerators(Record):
    """Where accelerators are listed."""

    place: Literal["baseboard", "host", "pcie"]
    """Processors of a baseboard beside the host, processors of the host, PCIe devices of the chassis."""
    id: str
    first: int
    """Number of the first one in `id`."""
    model: bool = True
    status: bool = True


class SpokenAdapters(Record):
    """How network adapters are called, and where their addresses stand."""

    id: str
    first: int
    port: str
    ports: Literal["Ports", "NetworkPorts"]
    addresses: Literal["ports", "functions", "network", "guid", "none"]
    """``Ethernet`` of a port, a device function beside it, ``AssociatedNetworkAddresses``, there with the GUID first, nowhere."""
    slot: str = ""
    """Label of its slot."""
    serial: bool = True
    """Whether its serial number is reported."""
    linked: bool = False
    """Whether its controllers link its ports."""


class SpokenThermal(Record):
    """Where temperatures and fans stand."""

    place: Literal["sensors", "thermal", "both"]
    inlet: str
    """Name of the sensor at the inlet."""
    context: str | None
    """PhysicalContext of the inlet."""
    others: str | None
    """PhysicalContext of other temperatures; None: left out."""
    fan: str
    fans: Literal["Rotational", "AirFlow", "Percent"]
    sensors: list[str] = []
    """What Sensors has where temperatures and fans are not in it."""


class SpokenPower(Record):
    """Where supplies, draw and limit stand."""

    place: Literal["subsystem", "power", "both"]
    supply: str
    first: int
    status: bool
    """False: a supply says nothing of its own state."""
    sensors: bool
    """Whether a sensor tells what each supply delivers."""
    input: Literal["line", "voltage", "none"]
    redundancy: Literal["subsystem", "power", "none"]
    draw: Literal["metrics", "control", "oem", "none"]
    """``oem``: ``TotalPower`` beside the schema, with an empty PowerControl."""
    limit: Literal["metrics", "control", "none"]
    unset: dict[str, int | str | None] = {}
    """Value of ``PowerLimit`` while no limit is set."""


class SpokenLog(Record):
    """Where the event log is."""

    holder: Literal["system", "manager"]
    service: str


class SpokenPlate(Record):
    """Where maker, model and serial number stand."""

    place: Literal["system", "chassis"]
    serial: Literal["SerialNumber", "SKU"]


class SpokenAttribute(Record):
    """One BIOS attribute, as its registry has it and as it leaves the factory."""

    kind: Literal["Enumeration", "Integer", "Boolean", "String"]
    value: bool | int | str
    read_only: bool = False
    values: list[str] = []
    """Of an enumeration, as attributes show them."""
    written: list[str] = []
    """What the registry calls the values; empty: the same."""
    lowest: int = 0
    highest: int = 0


class SpokenBios(Record):
    """Where BIOS attributes, their pending changes and their registry are."""

    path: str
    settings: str
    pending: Literal["all", "changes"]
    """Whether the pending settings hold every attribute, or what changes alone."""
    named: str = ""
    """What ``AttributeRegistry`` says, which is not always the id of a registry; empty: left out."""
    registry: str
    registry_uri: str
    apply_times: list[str] = []
    """Empty: none are listed, and none are taken."""
    attributes: dict[str, SpokenAttribute]


class SpokenFirmware(Record):
    """One entry of the firmware inventory."""

    id: str
    """``{version}`` stands for its version."""
    name: str
    of: Literal["bios", "bmc", "other"]
    version: str = ""
    """As it left the factory, of ``other``."""

    @property
    def component(self) -> str:
        """As a site names it: by its name where the id is a number, by what follows the version in the id."""
        return self.name if self.id.isdecimal() else self.id.rpartition("__")[2]


class SpokenPowerCycle(Record):
    """The action that removes the power."""

    holder: str
    """Path of the document that lists it."""
    action: str
    target: str
    kind: str


class SpokenUpdates(Record):
    """How images are taken, and where tasks are."""

    source: str
    multipart: str = ""
    push: str = ""
    pushes: bool = True
    """Whether a plain POST to `push` is an update: iLO wants a form of its own there."""
    simple: str = ""
    protocols: list[str] = []
    apply_times: list[str] = []
    most_bytes: int = 0
    answer: Literal["body", "location", "none"] = "body"
    """Where the task of an accepted image is given."""
    task: str = "{n}"
    power_cycle: SpokenPowerCycle | None = None


class SpokenBoot(Record):
    """How far a boot is (``BootProgress``)."""

    source: str
    time: bool
    """Whether ``LastStateTime`` is given."""
    running: str
    """What it reports once a system runs."""
    off: str = "None"
    """What it reports while the machine is off."""


class SpokenDrives(Record):
    """How drives are listed, and erased by the action ``Drive.SecureErase``."""

    source: str
    storage: str
    """Id of the storage that lists the data drives."""
    id: str
    """``{n}`` stands for its number."""
    first: int
    kinds: list[str]
    """What an ActionInfo allows as ``SanitizationType``; empty: the action takes none."""
    times: list[str] = []
    """Of ``OperationApplyTimeSupport`` of the action; empty: it lists none."""
    idle: list[dict[str, str | int]]
    """Value of ``Operations`` while no operation runs."""


class SpokenLockout(Record):
    """When an account is locked (schema AccountService, AccountLockoutThreshold, AccountLockoutDuration)."""

    threshold: int
    """Wrong passwords, one after the other."""
    seconds: int
    """How long it stays locked."""


class SpokenAccounts(Record):
    """How accounts are made."""

    source: str = "schemas ManagerAccount and AccountService of Redfish; no tree of one with its accounts is published"
    slots: int = 0
    """A fixed number of accounts that wait for a name; 0: an account is made by a POST."""
    first: int = 1
    """Number of the account that it comes with."""
    by_name: bool = False
    """Whether the path of an account ends with its name, and not with a number."""
    enabled: bool = True
    """Whether ``Enabled`` is shown and taken."""
    roles: list[str] = ["Administrator", "Operator", "ReadOnly"]
    shortest: int = 0
    longest: int = 40
    """Characters of a password."""


class Dialect(Record):
    """One Redfish dialect: the way a maker's BMCs use Redfish."""

    of: str
    source: str
    date: str
    etags: bool = False
    """Whether a system carries its entity tag (``@odata.etag``), also where it comes with its collection."""
    root: dict[str, str | None]
    """Members of the service root; None: left out."""
    paths: dict[str, str]
    accelerators: SpokenAccelerators
    adapters: SpokenAdapters
    thermal: SpokenThermal
    power: SpokenPower
    log: SpokenLog
    plate: SpokenPlate
    lockout: SpokenLockout | None = None
    """None: no tree of one locks accounts."""
    accounts: SpokenAccounts = SpokenAccounts()
    bios: SpokenBios | None = None
    """None: no tree of one shows attributes."""
    firmware: list[SpokenFirmware] = []
    """Empty: no tree of one shows an inventory."""
    updates: SpokenUpdates | None = None
    """None: how one takes images is not published."""
    boot: SpokenBoot | None = None
    """None: no tree of one says how far a boot is."""
    drives: SpokenDrives | None = None
    """None: no tree of one offers to erase drives."""
