"""The parts that a node held in a run, as one row; what was recorded before stays as it is."""

import sqlalchemy as sa
from alembic import op

from rackwright.ledger.tables import UtcDateTime

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table of sightings."""
    op.create_table(
        "sightings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("parts", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_sightings"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_sightings_run"),
    )
    for column in ("run", "node"):
        op.create_index(f"ix_sightings_{column}", "sightings", [column])
