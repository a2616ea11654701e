"""The history of every node: runs, their steps, verdicts and decisions, in SQLite or PostgreSQL.

    tables.py      the schema, typed
    database.py    opens a database by URL, safe against kill -9, and brings its schema up to date
    ledger.py      `Ledger`: begin, step, record, finish, history
    chain.py       the hash chain: each transaction adds a link over the rows that it wrote
    audit.py       checks that the rows are unchanged
    decision_history.py  the decisions of gates, and since when they hold
    onboarding.py  `RoleEventStream`: the work of roles on nodes, written in batches while they run
    migrations/    changes of the schema (Alembic)

It decides nothing.
"""

from rackwright.ledger.audit import Audit, SealedHead
from rackwright.ledger.database import schema_of
from rackwright.ledger.ledger import Ledger
from rackwright.ledger.onboarding import RoleEventStream
from rackwright.ledger.records import Event, RoleEvent, Run

__all__ = ["Audit", "Event", "Ledger", "RoleEvent", "RoleEventStream", "Run", "SealedHead", "schema_of"]
