"""Alembic's entry: migrates over the connection that `database.open_engine` passes, in its transaction."""

from alembic import context

from rackwright.ledger.tables import LedgerTable

context.configure(
    connection=context.config.attributes["connection"], target_metadata=LedgerTable.metadata, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
