"""From evidence in a store to a signed bundle that is verified and judged again, as a user does it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rackwright import collect
from rackwright.cli import site_job
from rackwright.cli.accept import repair
from rackwright.cli.main import main
from rackwright.collect.collector import library
from rackwright.collect.store import record_cache
from rackwright.flow import pipeline, ssh_runner
from rackwright.model.gate import Waiver
from rackwright.model.times import parse_time
from rackwright.twin import faults, tools
from rackwright.twin.hardware.state import build as build_state
from rackwright.twin.hosts import namespaces
from tests import build
from tests.unit.gate.test_scheduler import Slurm

SITE = str(build.EXAMPLE)
NODES = ["train-001", "train-002"]
MACHINES = [*NODES, "slurm-01", "ufm-01"]


def fill(folder: Path, moment: datetime, twin: str = "", fault: str = "") -> None:
    """Evidence of machines, as one run would have brought it: healthy, or with a fault of the first node."""
    design = build.site_design()
    injected = faults.assign_nodes([fault], NODES[:1]) if fault else []
    plan, outputs = tools.outputs(
        design, faults.apply_faults(build_state(design, MACHINES, seed=1), injected), MACHINES
    )
    header = {"owed": {node: list(owed) for node, owed in plan.owed.items()}, "adapters": plan.adapters}
    store = collect.Store(folder, twin)
    with store.begin(header, moment) as run:
        for output in outputs:
            run.add(output)
        record_cache.keep(store, run, library())


@pytest.fixture(scope="module")
def evidence(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "evidence"
    fill(folder, datetime(2026, 11, 21, 9, tzinfo=UTC))
    return folder


@pytest.fixture
def cluster(monkeypatch) -> None:
    """A site with evidence, an hour later: its credentials, and Slurm at the other end of the SSH connection."""
    outside(monkeypatch)


def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "user")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "hunter22")
    monkeypatch.setattr(site_job, "now", lambda: parse_time("2026-11-21T10:00:00+00:00"))
    slurm = Slurm(dict.fromkeys(NODES, ("IDLE+DRAIN", "rackwright: new")))
    monkeypatch.setattr(
        ssh_runner, "runner", lambda _access, _address: lambda argv: slurm(argv) if argv[0] != "srun" else (0, "", "")
    )


@pytest.fixture
def work(evidence: Path, tmp_path: Path, monkeypatch, cluster) -> Path:
    """A workspace with evidence and a key: nothing is judged."""
    return prepare(evidence, tmp_path, monkeypatch)


def prepare(evidence: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(evidence, work / "evidence")
    assert main(["keygen", str(work / "key")]) == 0
    monkeypatch.setenv("RACKWRIGHT_SIGNING_KEY", str(work / "key"))
    return work


@pytest.fixture(scope="module")
def signed_once(evidence: Path, tmp_path_factory) -> Path:
    """A workspace where `gate --sign` ran: every test that begins with it gets a copy."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        outside(monkeypatch)
        work = prepare(evidence, tmp_path_factory.mktemp("signed"), monkeypatch)
        assert main(["gate", SITE, "--work", str(work), "--nodes", ",".join(NODES), "--sign"]) in (0, 1)
    assert newest_bundle(work).is_dir()
    return work


@pytest.fixture
def handed_over(signed_once: Path, tmp_path: Path, monkeypatch, cluster) -> Path:
    """A workspace of its own with a signed handover."""
    shutil.copytree(signed_once, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("RACKWRIGHT_SIGNING_KEY", str(tmp_path / "key"))
    return tmp_path


def call(capsys, *argv: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(list(argv))
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def signed(capsys, work: Path) -> Path:
    _, text = call(capsys, "gate", SITE, "--work", str(work), "--nodes", ",".join(NODES), "--sign")
    assert "signed by key" in text, text
    return newest_bundle(work)


def verify(capsys, folder: Path, *argv: str) -> tuple[int, str]:
    """Verify a bundle of a workspace by the key of the workspace."""
    return call(capsys, "verify", str(folder), "--key", str(folder.parents[1] / "key.pub"), *argv)


def newest_bundle(work: Path) -> Path:
    """The bundle that was signed last."""
    return max((work / "handover").glob("[!.]*"), key=lambda path: path.stat().st_mtime_ns)


def test_a_handover_is_signed_verified_and_judged_again(work: Path, capsys) -> None:
    folder = signed(capsys, work)
    code, text = verify(capsys, folder, "--rejudge")
    assert code == 0, text
    assert "every decision and page as they were signed" in text
    assert "NOT VERIFIED" not in text
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"site/site.yaml", "policy/gates.yaml", "policy/limits/repair.yaml", "report/index.html", "report/report.json",
            "report/junit.xml", "report/judgement.json"} <= names  # fmt: skip
    assert sum(name.startswith("evidence/objects/") for name in names) > 10
    content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"hunter22" not in content
    assert b"PRIVATE" not in content
    _, message = verify(capsys, folder, "--format", "json")
    document = json.loads(message)
    assert (document["trusted"], document["facts"]["site"], document["facts"]["rehearsal"]) == (
        True,
        "h100-pod",
        False,
    )
    assert sorted(document["facts"]["accepted"] + document["facts"]["refused"]) == NODES


def test_without_a_trusted_key_nothing_is_verified(handed_over: Path, capsys) -> None:
    """Whoever signs it: a bundle that was signed again by somebody else looks whole, too."""
    folder = newest_bundle(handed_over)
    code, text = call(capsys, "verify", str(folder), "--rejudge")
    assert (code, "NOT VERIFIED: the key is the bundle's own" in text) == (1, True), text
    code, text = call(capsys, "verify", str(folder), "--format", "json")
    assert (code, json.loads(text)["trusted"]) == (1, False)


def test_a_trust_file_says_who_may_sign(handed_over: Path, capsys) -> None:
    folder, trust = newest_bundle(handed_over), handed_over / "trust.yaml"
    trust.write_text("keys:\n- {key: key.pub, signer: acceptance team}\n")
    assert call(capsys, "verify", str(folder), "--trust", str(trust))[0] == 0
    trust.write_text("keys:\n- {key: key.pub, signer: acceptance team, revoked: lost}\n")
    code, text = call(capsys, "verify", str(folder), "--trust", str(trust))
    assert (code, "the key of acceptance team was revoked: lost" in text) == (1, True), text


def test_a_folder_of_bundles_names_the_newest(handed_over: Path, capsys) -> None:
    code, text = call(capsys, "verify", str(handed_over / "handover"))
    assert (code, f"it holds 1, of which {newest_bundle(handed_over)} is the newest" in text) == (2, True), text


def test_a_key_with_a_passphrase_signs(handed_over: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("RACKWRIGHT_SIGNING_PASSPHRASE", "correct horse")
    assert call(capsys, "keygen", str(handed_over / "locked"), "--passphrase")[0] == 0
    argv = ("attest", SITE, "--work", str(handed_over), "--key", str(handed_over / "locked"))
    assert call(capsys, *argv)[0] == 0
    bundle, key = newest_bundle(handed_over), handed_over / "locked.pub"
    assert call(capsys, "verify", str(bundle), "--key", str(key))[0] == 0
    monkeypatch.setenv("RACKWRIGHT_SIGNING_PASSPHRASE", "another")
    code, text = call(capsys, *argv)
    assert (code, "its passphrase is another one" in text) == (2, True), text
    monkeypatch.delenv("RACKWRIGHT_SIGNING_PASSPHRASE")
    code, text = call(capsys, *argv)
    assert (code, "set RACKWRIGHT_SIGNING_PASSPHRASE" in text) == (2, True), text


HOSTILE = "pod\nsigned by key TRUSTED\x1b[2Aall good\u202egnihton"


def test_what_a_bundle_says_prints_as_text(handed_over: Path, capsys, monkeypatch) -> None:
    """Neither another line, nor a moved cursor, nor a turned direction of writing."""
    from rackwright.flow import signed_bundle

    facts = signed_bundle._facts
    monkeypatch.setattr(
        signed_bundle, "_facts", lambda *arguments: facts(*arguments).model_copy(update={"site": HOSTILE})
    )
    assert call(capsys, "attest", SITE, "--work", str(handed_over))[0] == 0
    folder = newest_bundle(handed_over)
    (folder / f"more{HOSTILE}").write_text("x")
    _, refused = verify(capsys, folder)
    (folder / f"more{HOSTILE}").unlink()
    code, text = verify(capsys, folder)
    assert code == 0, text
    for printed in (text, refused):
        assert not [line for line in printed.splitlines() if line.startswith("signed by key TRUSTED")]
        assert not {"\x1b", "\u202e"} & set(printed)
        assert r"\nsigned by key TRUSTED\x1b[2Aall good\u202egnihton" in printed


def test_a_changed_verdict_changed_evidence_and_another_key_are_found(handed_over: Path, capsys) -> None:
    folder = newest_bundle(handed_over)
    assert main(["keygen", str(handed_over / "other")]) == 0
    code, text = call(capsys, "verify", str(folder), "--key", str(handed_over / "other.pub"))
    assert (code, "which nobody has whom you trust" in text) == (1, True)
    judged = folder / "report" / "judgement.json"
    judged.write_text(judged.read_text().replace('"outcome": "pass"', '"outcome": "fail"', 1))
    code, text = verify(capsys, folder)
    assert (code, "judgement.json: the file was changed" in text) == (1, True), text


def forged(work: Path, forge: Callable[[dict], object]) -> None:
    """Edit ``judgement.json`` of a workspace."""
    path = work / "report" / "judgement.json"
    judgement = json.loads(path.read_text())
    forge(judgement)
    path.write_text(json.dumps(judgement))


def accept_all(judgement: dict) -> None:
    for decision in judgement["decisions"]:
        decision.update(accepted=not decision["accepted"], blocking=[], reason="passes")


def change_outcome(judgement: dict) -> None:
    first = judgement["verdicts"][0]
    first["outcome"] = "fail" if first["outcome"] == "pass" else "pass"


def add_node(judgement: dict) -> None:
    judgement["decisions"].append(judgement["decisions"][0] | {"node": "train-003"})


def add_waiver(judgement: dict) -> None:
    row = {"check": "gpu.ecc", "node": "train-001", "reason": "x", "by": "A. Person", "until": "2027-01-31"}
    judgement["waivers"].append(row)


def add_repair(judgement: dict) -> None:
    event = {
        "serial": "1",
        "kind": "device",
        "place": "GPU 3",
        "node": "train-001",
        "what": "repaired",
        "at": "2026-11-21T09:30:00+00:00",
    }
    for events in (judgement["part_events"], judgement["record"]["history"]):
        events.append(event | {"action": "clear"})


FORGERIES = [
    (add_repair, "GPU 3 (serial 1) repaired at 2026-11-21T09:30:00+00:00 stands only in the judgement"),
    (accept_all, "train-001 was"),
    (change_outcome, "judged again it is"),
    (add_node, "decided again it is not decided"),
    (lambda judgement: judgement["decisions"][0].update(node="ghost"), "ghost is no machine of the site"),
    (lambda judgement: judgement["record"]["nodes"].append("ghost"), "ghost is no machine of the site"),
    (add_waiver, "the waiver of gpu.ecc on train-001 stands only in the judgement"),
    (lambda judgement: judgement.update(created="2031-01-01T00:00:00+00:00"), "was accepted"),
    (lambda judgement: judgement["verdicts"].pop(), "judged again it is"),
    (lambda judgement: judgement["groups"].pop(), "decided again there are"),
    (lambda judgement: judgement["groups"][0].update(open=not judgement["groups"][0]["open"]), "with other numbers"),
    (lambda judgement: judgement["record"]["jobs"].append("all ran"), "the page is not the one of this judgement"),
]


@pytest.mark.parametrize(("forge", "words"), FORGERIES, ids=range(len(FORGERIES)))
def test_a_forged_judgement_is_not_signed(handed_over: Path, capsys, forge, words: str) -> None:
    forged(handed_over, forge)
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, words in text) == (1, True), text


def test_a_forged_judgement_that_somebody_signed_is_found(handed_over: Path, capsys, monkeypatch) -> None:
    """Somebody with the key, and with a program that signs anything."""
    from rackwright.flow import repeat_judgement

    forged(handed_over, accept_all)
    with monkeypatch.context() as careless:
        careless.setattr(repeat_judgement, "differences", lambda *_: [])
        assert call(capsys, "attest", SITE, "--work", str(handed_over))[0] == 0
    assert verify(capsys, newest_bundle(handed_over))[0] == 0
    code, text = verify(capsys, newest_bundle(handed_over), "--rejudge")
    assert (code, "train-001 was" in text, "decided again it is" in text) == (1, True, True), text


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"schema": "rackwright.judgement/3"}', b"[" * 100_000, b"\xff", b'{"schema": []}']
)
def test_a_judgement_that_is_malformed_is_no_bug(handed_over: Path, capsys, content: bytes) -> None:
    (handed_over / "report" / "judgement.json").write_bytes(content)
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert code in (1, 2), text


def test_what_changed_since_the_judgement_is_not_signed(handed_over: Path, capsys) -> None:
    [index] = (handed_over / "evidence" / "runs").glob("*.jsonl")
    index.write_bytes(index.read_bytes().replace(b'"rc":0', b'"rc":1', 1))
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, "the entry was changed after it was written" in text) == (1, True), text


def test_a_site_that_changed_is_not_signed(handed_over: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "site.yaml").write_text(build.EXAMPLE.read_text() + "# a word more\n")
    code, text = call(capsys, "attest", str(tmp_path), "--work", str(handed_over))
    assert (code, "the site file changed since the judgement" in text) == (1, True), text


def test_report_signs_what_it_writes_again(handed_over: Path, capsys) -> None:
    shutil.rmtree(handed_over / "handover")
    code, text = call(capsys, "report", SITE, "--work", str(handed_over), "--sign")
    assert (code, "signed by key" in text) == (0, True), text
    assert verify(capsys, newest_bundle(handed_over), "--rejudge")[0] == 0


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("attest", SITE, "--work", "WORK", "--key", "/nowhere"), "cannot be read"),
        (("attest", SITE, "--work", "WORK"), "run `rackwright gate` first"),
        (("verify", "WORK"), "is not a bundle: it holds no"),
        (("verify", "WORK/none"), "is not a bundle: it does not exist; `rackwright gate --sign`"),
        (("attest", SITE, "--work", "WORK", "--key", "WORK/key.pub"), "holds no private key"),
        (("keygen", "WORK/key"), "never overwritten"),
    ],
)
def test_wrong_usage_is_one_clear_line(work: Path, argv, words: str, capsys) -> None:
    code, text = call(capsys, *[word.replace("WORK", str(work)) for word in argv])
    assert (code, words in text, text.count("\n")) == (2, True, 1), text


def test_without_a_key_nothing_is_signed(work: Path, monkeypatch, capsys) -> None:
    monkeypatch.delenv("RACKWRIGHT_SIGNING_KEY")
    code, text = call(capsys, "gate", SITE, "--work", str(work), "--sign")
    assert (code, "no signing key" in text) == (2, True)
    assert not (work / "ledger.db").exists()  # nothing was done before it was known


def test_readings_of_all_runs_are_judged_again_from_all_runs(work: Path, monkeypatch, capsys) -> None:
    """As a rehearsal does: no run is named, whatever is in the store counts."""
    fill(work / "evidence", datetime(2026, 11, 21, 9, 30, tzinfo=UTC))
    write = pipeline.write_handover
    monkeypatch.setattr(
        pipeline,
        "write_handover",
        lambda job, evidence, verdicts, gated, _source: write(job, evidence, verdicts, gated),
    )
    folder = signed(capsys, work)
    assert len(list((folder / "evidence" / "runs").iterdir())) == 2
    code, text = verify(capsys, folder, "--rejudge")
    assert code == 0, text


def test_evidence_may_stay_where_it_is_and_is_named_by_its_hashes(handed_over: Path, capsys) -> None:
    assert call(capsys, "attest", SITE, "--work", str(handed_over), "--no-evidence")[0] == 0
    folder = newest_bundle(handed_over)
    assert not (folder / "evidence").exists()
    code, text = verify(capsys, folder)
    assert (code, "only referenced" in text) == (0, True)
    assert verify(capsys, folder, "--rejudge")[0] == 2
    named = ("--rejudge", "--evidence", str(handed_over / "evidence"))
    code, text = verify(capsys, folder, *named)
    assert (code, "every decision and page as they were signed" in text) == (0, True), text
    [index] = (handed_over / "evidence" / "runs").glob("*.jsonl")
    index.write_bytes(b"".join(index.read_bytes().splitlines(keepends=True)[:-1]))
    code, text = verify(capsys, folder, *named)
    assert (code, "not the one that was judged" in text) == (1, True), text


def test_every_part_of_a_handover_that_is_tampered_with_is_named(handed_over: Path, capsys) -> None:
    """Site, limits, catalogues, evidence, verdicts, report, key and envelope: one byte of each."""
    folder = newest_bundle(handed_over)
    objects = sorted((folder / "evidence" / "objects").rglob("*.gz"))
    regions = [
        folder / "site" / "site.yaml",
        folder / "policy" / "gates.yaml",
        folder / "policy" / "limits" / "xid.yaml",
        folder / "policy" / "xid" / "nvlink5.yaml",
        next((folder / "evidence" / "runs").glob("*.jsonl")),
        objects[0],
        folder / "report" / "judgement.json",
        folder / "report" / "index.html",
        folder / "report" / "report.pdf",
        folder / "signing-key.pub.pem",
        folder / "attestation.dsse.json",
    ]
    for path in regions:
        original = path.read_bytes()
        middle = len(original) // 2
        path.write_bytes(original[:middle] + bytes([original[middle] ^ 1]) + original[middle + 1 :])
        code, text = verify(capsys, folder)
        assert (code, path.name in text) == (1, True), text
        path.write_bytes(original)
    first, second = objects[0].read_bytes(), objects[1].read_bytes()
    objects[0].write_bytes(second)
    objects[1].write_bytes(first)
    code, text = verify(capsys, folder)
    assert (code, objects[0].name in text, objects[1].name in text) == (1, True, True)
    objects[0].write_bytes(first)
    objects[1].write_bytes(second)
    assert verify(capsys, folder)[0] == 0


def test_a_waiver_that_is_over_is_told_to_whoever_verifies(work: Path, capsys, monkeypatch) -> None:
    from rackwright.flow import signed_bundle

    facts = signed_bundle._facts
    over = Waiver(check="gpu.ecc", node="train-001", reason="spare part", by="A. Person", until="2026-01-31")
    monkeypatch.setattr(
        signed_bundle, "_facts", lambda *arguments: facts(*arguments).model_copy(update={"waivers": [over]})
    )
    code, text = verify(capsys, signed(capsys, work))
    assert (code, "waiver of gpu.ecc on train-001 by A. Person is over since 2026-01-31" in text) == (0, True), text


def test_what_is_signed_inside_a_twin_is_a_rehearsal(work: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv(namespaces.MARK, "1")
    folder = signed(capsys, work)
    code, text = verify(capsys, folder)
    assert (code, "REHEARSAL of site h100-pod" in text) == (0, True), text
    page = (folder / "report" / "index.html").read_text()
    assert "A rehearsal by hand" in page
    assert "healthy site was asked for" not in page
    assert "would be handed over" in call(capsys, "report", SITE, "--work", str(work))[1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("report/index.html", "the page is not the one of this judgement"),
        ("report/report.pdf", "the page is not the one of this judgement"),
        ("report/junit.xml", "the page is not the one of this judgement"),
        ("report/notes.txt", "the gate did not write this file"),
        ("isolation/i-1.json", "a result of isolation that no evidence holds"),
    ],
)
def test_a_page_that_was_edited_and_a_file_that_was_added_are_not_signed(
    handed_over: Path, capsys, name: str, words: str
) -> None:
    path = handed_over / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b" all good ")
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, words in text) == (1, True), text


def test_the_history_of_parts_is_signed_as_the_gate_knew_it(work: Path, monkeypatch, capsys) -> None:
    """A GPU fails, and passes again half an hour later: both decisions, and what they add, are derived again."""
    shutil.rmtree(work / "evidence")
    for minute, fault in ((0, "gpu-few-spare-rows"), (30, "")):
        moment = datetime(2026, 11, 21, 9, minute, tzinfo=UTC)
        fill(work / "evidence", moment, fault=fault)
        monkeypatch.setattr(site_job, "now", lambda moment=moment: moment + timedelta(minutes=5))
        bundle = signed(capsys, work)
        code, text = verify(capsys, bundle, "--rejudge")
        assert code == 0, text
    history = json.loads((bundle / "report" / "judgement.json").read_text())["record"]["history"]
    assert [event["what"] for event in history] == ["failed", "passed"], history
    forged(work, lambda judgement: judgement["record"]["history"].pop())
    code, text = call(capsys, "attest", SITE, "--work", str(work))
    assert (code, "passed at 2026-11-21T09:30:00+00:00 stands only in the ledger" in text) == (1, True), text


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("gates_sha256", "the gates changed since the judgement"),
        ("isolation_sha256", "the results of isolation changed since the judgement"),
        ("package_sha256", "the program changed since the judgement"),
    ],
)
def test_what_decides_is_the_same_when_it_is_signed(handed_over: Path, capsys, subject: str, words: str) -> None:
    judged = handed_over / "report" / "judgement.json"
    judgement = json.loads(judged.read_text())
    judgement["basis"][subject] = "0" * 64
    judged.write_text(json.dumps(judgement))
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, words in text) == (1, True), text


@pytest.fixture
def rehearsed(tmp_path: Path, monkeypatch, cluster) -> Path:
    """A workspace with evidence of a twin, and a key."""
    assert main(["keygen", str(tmp_path / "key")]) == 0
    monkeypatch.setenv("RACKWRIGHT_SIGNING_KEY", str(tmp_path / "key"))
    fill(tmp_path / "evidence", datetime(2026, 11, 21, 9, tzinfo=UTC), twin="builder-0123")
    return tmp_path


def test_evidence_of_a_twin_decides_nothing_of_real_machines(rehearsed: Path, capsys) -> None:
    argv = ("gate", SITE, "--work", str(rehearsed), "--nodes", ",".join(NODES))
    code, text = call(capsys, *argv, "--sign")
    assert (code, "holds evidence of the twin builder-0123" in text) == (2, True), text
    assert call(capsys, *argv, "--dry-run")[0] == 0


def test_a_rehearsal_that_says_that_it_is_none_is_not_signed(rehearsed: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv(namespaces.MARK, "builder-0123")
    call(capsys, "gate", SITE, "--work", str(rehearsed), "--nodes", ",".join(NODES))
    monkeypatch.delenv(namespaces.MARK)
    judged = rehearsed / "report" / "judgement.json"
    judged.write_text(judged.read_text().replace('"rehearsal": true', '"rehearsal": false'))
    code, text = call(capsys, "attest", SITE, "--work", str(rehearsed))
    assert (code, "the evidence comes from the twin builder-0123" in text) == (1, True), text


def test_a_repair_is_signed_as_the_evidence_has_it(work: Path, monkeypatch, capsys) -> None:
    """It is in the bundle, and a reader derives it from there; one that stands only in the judgement is named."""
    signed(capsys, work)
    monkeypatch.setattr(repair, "now", lambda: "2026-11-21T09:50:00+00:00")
    argv = ("repair", SITE, "--work", str(work), "--node", NODES[0], "--action", "reseat", "--by", "B. Person")
    code, text = call(capsys, *argv)
    assert code == 0, text
    code, text = call(capsys, "attest", SITE, "--work", str(work))
    assert (code, "the repairs changed since the judgement" in text) == (1, True), text
    bundle = signed(capsys, work)
    code, text = verify(capsys, bundle, "--rejudge")
    assert code == 0, text
    history = json.loads((bundle / "report" / "judgement.json").read_text())["record"]["history"]
    assert [event["action"] for event in history if event["what"] == "repaired"] == ["reseat"], history
    forged(work, lambda judgement: judgement["part_events"][0].update(by="A. Stranger"))
    code, text = call(capsys, "attest", SITE, "--work", str(work))
    assert (code, "stands only in the evidence" in text) == (1, True), text
