"""What the BMC of a machine of the twin answers: its documents, as the transport stores them."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.redfish.unread import READ_AT
from rackwright.twin.bmc import dialects
from rackwright.twin.bmc.documents import NOW, ROOT
from rackwright.twin.hardware.state import State


def observe(state: State, design: Design, node: str) -> bytes:
    """Path -> document of everything that the walk over a BMC reads."""
    del design
    documents_by_path = dialects.build_documents(state.machines[node])
    documents_by_path[SERVICE_ROOT] = documents_by_path.pop(f"{ROOT}/")
    documents_by_path[READ_AT] = {"managers": NOW.isoformat()}
    return json.dumps(documents_by_path, sort_keys=True).encode()
