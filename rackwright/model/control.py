"""Control planes and the way to reach machines, as the owner of the site declares them. Nothing is derived."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Cidr, Name, Positive, Record
from rackwright.model.resource import Role
from rackwright.model.texts import (
    Digest,
    Endpoint,
    GateUser,
    HostName,
    Image,
    IpAddress,
    OwnPath,
    Sku,
    UserName,
    Variable,
    Version,
)


class ControlServers(Record):
    """A set of control servers."""

    server: Sku
    count: Positive


class Slurm(Record):
    """The Slurm control plane."""

    controllers: ControlServers
    partition: Name | None = None
    """Default partition, of all nodes; when empty that of the pool where there is one, else ``all``."""


class KubernetesServers(ControlServers):
    """Servers that carry the control plane of Kubernetes."""

    endpoint_by: Literal["keepalived", "load-balancer"] | None = None
    """What keeps the address of ``endpoint`` at a server that answers: keepalived on the servers, or a load balancer of the site. May be
    empty for one server."""
    etcd: list[Endpoint] = []
    """Members of an etcd cluster of the site, by address and port; each server has a member of its own when empty."""


class ClusterNetwork(Record):
    """The networks of pods and services, and who makes them."""

    plugin: Literal["calico", "cilium", "flannel", "kube-ovn"]
    version: Version
    pods: Cidr
    """Addresses of pods; they must meet no network of the site."""
    services: Cidr


class AddOn(Record):
    """A component of the platform."""

    enabled: bool = True
    version: Version = ""
    """Release, without a v; required where it is enabled."""


class Kubernetes(Record):
    """The Kubernetes control plane that nodes of scheduler ``kubernetes`` join."""

    endpoint: Endpoint
    """Address and port of the API server."""
    ca_sha256: Digest | None = None
    """Hash of the public key of its CA, as ``kubeadm token create --print-join-command`` prints it. With `servers` it may be empty: it is then
    read from them."""
    servers: KubernetesServers | None = None
    """Servers that onboarding makes the control plane on; somebody else's cluster when empty."""
    token_env: Variable = "RACKWRIGHT_KUBEADM_TOKEN"
    """Name of the environment variable that holds the bootstrap token, never the token itself."""
    gate_user: GateUser = "system:serviceaccount:rackwright-system:rackwright-gate"
    """Account with which `rackwright gate` reaches the API server: it alone may lift the taint of nodes that wait for acceptance."""
    image: Image | None = None
    """Image with a shell, ``cat`` and ``chroot`` that the nodes can pull, for pods that query and test nodes."""
    version: Version = ""
    """Release of the API server (``1.34.2``); those of kubelets stand in the bill. Not compared when empty."""
    network: ClusterNetwork | None = None
    """Networks inside the cluster; somebody else's when empty."""
    addons: dict[Name, AddOn] = {}
    """Components of the platform, by the names of ``kubernetes_addons.yaml`` and ``kubernetes_lock.yaml`` in ``rackwright/compat/data``."""

    def addon_version(self, name: str) -> str:
        """The release of an add-on; empty where it is not declared, or off."""
        addon = self.addons.get(name)
        return addon.version if addon and addon.enabled else ""


class Ufm(Record):
    """Subnet managers of the InfiniBand fabrics (UFM appliances)."""

    servers: ControlServers


class Ssh(Record):
    """How hosts are reached. The key itself never stands in the site file."""

    user: UserName = "root"
    """Account that everything is done with. One that is not root needs all of its rights: by ``sudo``, which asks it for no password."""
    collect_user: UserName | None = None
    """Account that `rackwright collect` logs in with, when it is not `user`; `rackwright sudoers` prints what it may run as root."""
    switch_user: UserName | None = None
    """Account on the switches, with the same key, that may run ``nv show`` or SONiC's ``psushow``; `rackwright preflight` then looks at their power supplies, fans and temperatures. For `rackwright switches --apply` it needs the right to change their configuration (SONiC: ``sudo`` without a password). Nobody logs in to switches without it."""
    identity_file: OwnPath = "~/.ssh/id_ed25519"
    known_hosts_file: OwnPath = "~/.ssh/known_hosts"


class DeclaredAccount(Record):
    """An account that every BMC of the machines has, beside the one that rackwright logs in with."""

    name: Annotated[UserName, Field(max_length=16)]
    """At most 16 characters, as IPMI 2.0 has them."""
    role: Role
    """Predefined role of Redfish."""
    enabled: bool = True
    """Whether it lets somebody in; a BMC that has none of this name gets none where it does not."""
    password_env: Variable | None = None
    """Name of the environment variable that holds its password, never the password itself; required where it is enabled."""


class Bmc(Record):
    """How BMCs are reached: the names of environment variables that hold the account, never the account itself."""

    user_env: Variable = "RACKWRIGHT_BMC_USER"
    password_env: Variable = "RACKWRIGHT_BMC_PASSWORD"
    initial_user_env: Variable = "RACKWRIGHT_BMC_INITIAL_USER"
    initial_password_env: Variable = "RACKWRIGHT_BMC_INITIAL_PASSWORD"
    """Variables with the account that BMCs came with; only ``rackwright discover`` and ``rackwright preflight --set-bmc-accounts`` read them."""
    ca_file: OwnPath | None = None
    """CA that signed the BMC certificates; the system's own when empty."""
    pins_file: OwnPath | None = None
    """File with lines ``ADDRESS SHA256``: certificates that BMCs must show, whoever signed them. ``rackwright preflight --pin-bmcs`` records them."""
    accounts_file: OwnPath | None = None
    """File with lines ``ADDRESS USER PASSWORD`` for BMCs with an account of their own; readable by its owner alone, and never stored with the site."""
    accounts: list[DeclaredAccount] = []
    """Accounts that `rackwright up` makes, changes and disables on the BMCs of machines. What is not listed is named as a mismatch, and never removed; without the key accounts are not looked at."""
    identities_file: OwnPath | None = None
    """File with lines ``NODE SERIAL UUID`` (the UUID may be left out): which machine stands where. ``rackwright preflight --record-machines`` and ``rackwright discover --record`` add those without a line."""


class Control(Record):
    """Control planes and the way to reach machines."""

    slurm: Slurm | None = None
    kubernetes: Kubernetes | None = None
    ufm: Ufm | None = None
    ssh: Ssh = Ssh()
    bmc: Bmc = Bmc()
    ntp_servers: Annotated[list[HostName], Field(min_length=1)]
    syslog_servers: list[HostName] = []
    """Where switches send their logs, by UDP on port 514, over their management port."""
    name_servers: Annotated[list[IpAddress], Field(max_length=3)] = []
    """DNS servers of the switches; no system takes more than three."""
