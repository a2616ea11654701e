"""The database of a shared ledger: looked at, never made."""

import asyncio

import pytest
from sqlalchemy import create_engine, text

from rackwright.ledger import database
from rackwright.preflight import database as probe
from rackwright.preflight.result import ProbeError


def test_an_empty_database_stays_empty(tmp_path):
    url = f"sqlite:///{tmp_path}/ledger.db"
    assert "is empty" in asyncio.run(probe.ask(url)).text
    assert "is empty" in asyncio.run(probe.ask(url)).text


def test_the_schema_is_said_and_a_newer_one_refused(tmp_path):
    url = f"sqlite:///{tmp_path}/ledger.db"
    database.open_engine(url).dispose()
    assert asyncio.run(probe.ask(url)).text == f"answers, schema {database.NEWEST}"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(ProbeError, match=r"schema 9999, and this rackwright knows .*upgrade rackwright"):
        asyncio.run(probe.ask(url))


@pytest.mark.parametrize(
    ("url", "words"), [("sqlite:////no/such/folder/ledger.db", "cannot be opened"), ("nonsense", "needs a URL like")]
)
def test_a_database_that_cannot_be_opened_fails_with_the_next_step(url, words):
    with pytest.raises(ProbeError, match=words):
        asyncio.run(probe.ask(url))
