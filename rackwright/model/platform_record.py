"""What the platform stack of a site has brought to Kubernetes, for its report."""

from __future__ import annotations

from rackwright.model.base import Record


class ServedComponent(Record):
    """A component that the site declares, or whose kinds the stack uses."""

    name: str
    version: str
    """Release that the site declares, or that rackwright pins; empty for what belongs to Kubernetes itself."""
    serves: list[str]
    """Kinds that the stack uses, as the API server serves them, with their API version; empty where it uses none."""
    unproven: str = ""
    """Why no test has sent its chart to an API server; empty where one does, and for Kubernetes itself."""


class PlatformQueue(Record):
    """A queue of a tenant."""

    name: str
    """NAMESPACE/NAME, as a job names it."""
    quota: str
    takes: list[str]
    """Classes of jobs."""


class PlatformTenant(Record):
    """Who may run what."""

    name: str
    """Of its namespace, too."""
    members: list[str]
    role: str
    """ClusterRole that its members have in the namespace."""
    most: dict[str, str]
    """Resource -> the most that pods of the namespace may request."""
    classes: list[str] = []
    """Classes of jobs that are for it; empty where the site has none."""


class PlatformRecord(Record):
    """One run of the platform stack."""

    kubernetes: str
    """Release of the API server."""
    run: str
    objects: int
    nodes: list[str]
    """Nodes that carry labels of the design."""
    waited_for: list[str]
    """What was released before the queues were applied, as KIND NAME."""
    components: list[ServedComponent]
    queues: list[PlatformQueue]
    tenants: list[PlatformTenant]
    jobs: list[str] = []
    """Sentences on jobs that tenants ran, on those that Kueue held back, and on the walls between tenants."""
