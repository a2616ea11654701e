"""Decisions on groups of nodes, and the state of a node that a decision is about; what was recorded before stays as it is."""

import sqlalchemy as sa
from alembic import op

from rackwright.ledger.tables import UtcDateTime

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "group_decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.Column("gate", sa.String(64), nullable=False),
        sa.Column("scope", sa.String(16), nullable=False),
        sa.Column("group", sa.String(128), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("covered", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("recorded", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_group_decisions"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_group_decisions_run"),
    )
    op.create_table(
        "decided_states",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("design", sa.String(64), nullable=False),
        sa.Column("boot", sa.String(64), nullable=False),
        sa.Column("driver", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_decided_states"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_decided_states_run"),
    )
    op.create_index("ix_group_decisions_run", "group_decisions", ["run"])
    op.create_index("ix_decided_states_run", "decided_states", ["run"])
