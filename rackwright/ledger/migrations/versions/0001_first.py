"""Runs, steps, verdicts and decisions."""

import sqlalchemy as sa
from alembic import op

from rackwright.ledger.tables import UtcDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the four tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("site", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("site_sha256", sa.String(64), nullable=False),
        sa.Column("started", UtcDateTime(), nullable=False),
        sa.Column("ended", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.String(32), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_site_kind", "runs", ["site", "kind"])
    op.create_table(
        "steps",
        *_of_a_run("steps"),
        sa.Column("step", sa.String(64), nullable=False),
        sa.Column("node", sa.String(64), nullable=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("started", UtcDateTime(), nullable=False),
        sa.Column("ended", UtcDateTime(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
    )
    op.create_index("ix_steps_run_step", "steps", ["run", "step"])
    op.create_index("ix_steps_node", "steps", ["node"])
    op.create_table(
        "verdicts",
        *_of_a_run("verdicts"),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("check", sa.String(128), nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("recorded", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_verdicts_run", "verdicts", ["run"])
    op.create_index("ix_verdicts_node", "verdicts", ["node"])
    op.create_table(
        "decisions",
        *_of_a_run("decisions"),
        sa.Column("node", sa.String(64), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("recorded", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_decisions_run", "decisions", ["run"])
    op.create_index("ix_decisions_node", "decisions", ["node"])


def _of_a_run(table: str) -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name=f"fk_{table}_run"),
    ]
