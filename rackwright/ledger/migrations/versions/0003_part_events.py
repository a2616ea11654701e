"""What happened to every part, by serial."""

import sqlalchemy as sa
from alembic import op

from rackwright.ledger.tables import UtcDateTime

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table of parts."""
    op.create_table(
        "part_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.Column("serial", sa.String(128), nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("place", sa.String(128), nullable=False),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("check", sa.String(128), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_part_events"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_part_events_run"),
    )
    for column in ("run", "serial", "node"):
        op.create_index(f"ix_part_events_{column}", "part_events", [column])
