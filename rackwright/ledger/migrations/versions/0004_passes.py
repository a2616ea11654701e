"""The checks that passed on a node in a run, as one row; what was recorded before stays as it is."""

import sqlalchemy as sa
from alembic import op

from rackwright.ledger.tables import UtcDateTime

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table of passes."""
    op.create_table(
        "passes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("checks", sa.JSON(), nullable=False),
        sa.Column("recorded", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passes"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_passes_run"),
    )
    for column in ("run", "node"):
        op.create_index(f"ix_passes_{column}", "passes", [column])
