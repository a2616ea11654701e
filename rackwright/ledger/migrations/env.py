"""Alembic's entry: migrates over the connection that `database.open_engine` hands in, in its transaction."""

from alembic import context

from rackwright.ledger.tables import Table

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Table.metadata, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
