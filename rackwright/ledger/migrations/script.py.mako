"""${message}"""

import sqlalchemy as sa
from alembic import op

from rackwright.ledger.tables import UtcDateTime

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """${message}."""
    ${upgrades if upgrades else "pass"}
