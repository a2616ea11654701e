import gc
import json
import subprocess
import threading
from asyncio.sslproto import SSLProtocol

import pytest

from rackwright.onboard.pull import pull_server
from rackwright.onboard.pull.order_book import OrderBook, RefusedResultError
from tests.patience import until
from tests.unit.onboard.pull.conftest import events


def order(site, name):
    return json.loads(json.loads(site.book._released[name].served)["order"])


def body(site, name, **changed):
    words = order(site, name)
    result = {"node": name, "order": words["id"], "files": words["files"], "parts": [events(name)], "trouble": ""}
    return {**result, **changed}


def test_a_result_of_another_node_is_refused(site):
    site.release("train-001")
    site.release("train-002")
    thief = site.program.SiteLink(site.config("train-002"))
    assert thief.call("POST", "/pull/train-001/result", body(site, "train-001"))[0] == 403
    status, answer = thief.post("result", body(site, "train-001"))
    assert (status, b"about another node" in answer) == (409, True)
    status, answer = thief.post("result", body(site, "train-001", node="train-002"))
    assert (status, b"no such order is open" in answer) == (409, True)
    assert site.book.results.empty()


def test_a_result_is_taken_once(site):
    site.release("train-001")
    node, words = site.program.SiteLink(site.config("train-001")), body(site, "train-001")
    assert [node.post("result", words)[0] for _ in range(2)] == [200, 409]
    assert site.book.results.get_nowait()[0] == "train-001"
    assert site.book.results.empty()
    site.release("train-001")
    assert node.post("result", words)[0] == 409


@pytest.mark.parametrize(
    ("changed", "why"), [({"files": {"bundle": "0"}}, "another bundle"), ({"parts": None}, "no events")]
)
def test_a_result_about_something_else_is_refused(site, changed, why):
    site.release("train-001")
    with pytest.raises(RefusedResultError, match=why):
        site.book.take("train-001", json.dumps(body(site, "train-001", **changed)).encode())


def test_what_is_no_result_is_refused(site):
    node = site.program.SiteLink(site.config("train-001"))
    assert node.post("result", ["no", "result"])[0] == 409
    assert node.post("result", {"node": "train-001", "parts": "[" * 200})[0] == 409
    assert node.post("result", [[[]] * 200_000])[0] == 400


def test_a_node_that_waits_costs_the_site_a_record_and_not_a_quarter_of_a_megabyte(site):
    node = site.program.SiteLink(site.config("train-001"))
    waiting = threading.Thread(target=node.post, args=("ask", {}))
    waiting.start()
    until(lambda: site.asks)
    buffers = [len(part._ssl_buffer) for part in gc.get_objects() if type(part) is SSLProtocol]
    assert buffers
    assert max(buffers) <= pull_server.BUFFER_BYTES
    site.release("train-001")
    waiting.join()


def test_an_order_outlives_its_site_until_it_is_answered(site, tmp_path):
    site.release("train-001")
    first = order(site, "train-001")
    site.book = OrderBook(site.keys, tmp_path / "orders")
    site.release("train-001")
    assert order(site, "train-001") == first
    site.release("train-001", reboot=True)
    assert order(site, "train-001")["id"] != first["id"]
    site.book.withdraw("train-001")
    assert list((tmp_path / "orders").iterdir()) == []


def test_a_node_that_is_not_heard_of_is_lost(site):
    site.release("train-001")
    assert site.book.silent("train-001", 300) == ""
    assert "did not ask for its order" in site.book.silent("train-001", 0)
    site.book.ask("train-001")
    assert "took its order and was not heard of" in site.book.silent("train-001", 0)


def test_ssh_keygen_verifies_what_the_site_signs_for_this_and_nothing_else(keys, tmp_path):
    (tmp_path / "signers").write_text(keys.allowed_signers)
    (tmp_path / "signature").write_text(keys.sign(b"an order"))
    words = ["ssh-keygen", "-Y", "verify", "-f", tmp_path / "signers", "-I", "site", "-s", tmp_path / "signature"]

    def verified(message, namespace):
        return (
            subprocess.run([*words, "-n", namespace], input=message, capture_output=True, check=False).returncode == 0
        )

    assert verified(b"an order", "rackwright-pull")
    assert not verified(b"an order!", "rackwright-pull")
    assert not verified(b"an order", "file")
