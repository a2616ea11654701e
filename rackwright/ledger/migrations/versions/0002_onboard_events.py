"""What every role did on every host."""

import sqlalchemy as sa
from alembic import op

from rackwright.ledger.tables import UtcDateTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table of onboarding."""
    op.create_table(
        "onboard_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("changed", sa.JSON(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("recorded", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_onboard_events"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_onboard_events_run"),
    )
    op.create_index("ix_onboard_events_run", "onboard_events", ["run"])
    op.create_index("ix_onboard_events_node", "onboard_events", ["node"])
