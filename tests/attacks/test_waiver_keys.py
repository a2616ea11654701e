"""An approver with a key: nobody else writes a waiver in that name, and no signed waiver says something else later or elsewhere."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml

from rackwright import attest, gate
from rackwright.base import yaml_text
from rackwright.cli.accept import waive
from rackwright.cli.main import main
from rackwright.model.gate import Waiver, WaiverSignature
from tests import build

TODAY = date(2026, 11, 23)
ROW = ["--check", "gpu.row_remap", "--node", "train-001", "--object", "GPU 3"]
WHY = ["--reason", "spare ordered", "--until", "2026-12-31"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site that asks for two approvals; Ann and Bo have keys, Cy has none."""
    monkeypatch.setattr(waive, "today", lambda: TODAY)
    site = tmp_path / "site"
    site.mkdir()
    prints = {name: attest.generate_key(tmp_path / name)[1] for name in ("ann", "bo", "mallory")}
    text = build.EXAMPLE.read_text().replace(
        "  gates: handover\n",
        "  gates: handover\n  waivers: waivers.yaml\n  policy: {waiver_approvals: 2}\n"
        f"  approvers: [{{name: Ann Ng, key: '{prints['ann']}'}}, {{name: Bo Li, key: '{prints['bo']}'}}, {{name: Cy Roe}}]\n",
    )
    (site / "site.yaml").write_text(text)
    (site / "waivers.yaml").write_text("# by hand\nwaivers: []\n")
    return site


def call(capsys: pytest.CaptureFixture[str], folder: Path, *argv: str) -> tuple[int, str]:
    code = main(["waive", str(folder), *argv])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def key(folder: Path, name: str) -> str:
    return str(folder.parent / name)


@pytest.fixture
def signed(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The file of waivers with one row, signed by both."""
    code, text = call(capsys, folder, *ROW, *WHY, "--by", "Ann Ng", "--key", key(folder, "ann"))
    assert (code, "does not count before another approver confirmed it" in text) == (0, True), text
    code, text = call(capsys, folder, *ROW, "--approve", "--by", "Bo Li", "--key", key(folder, "bo"))
    assert (code, "is waived by Ann Ng and Bo Li" in text) == (0, True), text
    assert "38 days left" in call(capsys, folder, "--list")[1]
    return folder / "waivers.yaml"


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def test_two_persons_sign_and_the_file_keeps_its_words(signed: Path) -> None:
    written = yaml_text.load(signed.read_text())
    assert [row["approver"] for row in written["signatures"]] == ["Ann Ng", "Bo Li"]
    assert signed.read_text().startswith("# by hand\n")


CHANGES = {
    "another part": ("GPU 3", "GPU 4"),
    "a later end": ("2026-12-31", "2027-01-31"),
    "another reason": ("spare ordered", "looks fine"),
    "another begin": ("since: 2026-11-23", "since: 2026-11-20"),
    "a person who confirms": ('by: "Ann Ng"', 'by: "Bo Li"'),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_signed_waiver_that_was_changed_is_refused(signed: Path, what: str, capsys) -> None:
    change(signed, *CHANGES[what])
    code, text = call(capsys, signed.parent, "--list")
    assert (code, "is not signed by" in text or "is no other person" in text) == (1, True), text


def test_a_row_in_the_name_of_a_person_with_a_key_is_refused_unsigned(folder: Path, capsys) -> None:
    row = "{check: gpu.row_remap, node: train-001, reason: r, by: Ann Ng, until: '2026-12-31', since: '2026-11-23'}"
    (folder / "waivers.yaml").write_text(f"waivers:\n- {row}\n")
    code, text = call(capsys, folder, "--list")
    assert (code, "is not signed by Ann Ng" in text, "no signature" in text) == (1, True, True), text


def test_a_signature_of_another_key_is_none(signed: Path, folder: Path, capsys) -> None:
    """Mallory, who may write the file, signs in the place of Bo."""
    written = yaml.load(signed.read_text(), yaml.BaseLoader)
    waiver = Waiver.model_validate({**written["waivers"][0], "approved_by": []})
    mallory = attest.load_signing_key(key(folder, "mallory"), lambda _: "")
    content = gate.signed_content("h100-pod", waiver, "Bo Li")
    written["signatures"][1] = attest.sign_waiver(content, waiver, "Bo Li", mallory).model_dump()
    signed.write_text(yaml.safe_dump(written))
    code, text = call(capsys, folder, "--list")
    assert (code, "is not signed by Bo Li" in text, "of another key" in text) == (1, True, True), text


def test_a_signature_of_another_site_is_none(signed: Path, folder: Path, capsys) -> None:
    change(folder / "site.yaml", "site: h100-pod", "site: other-pod")
    code, text = call(capsys, folder, "--list")
    assert (code, "is not signed by Ann Ng" in text) == (1, True), text


def test_a_signature_of_another_part_is_none(signed: Path, capsys) -> None:
    """Taken from one row to another."""
    written = yaml_text.load(signed.read_text())
    written["waivers"][0]["object"] = "GPU 5"
    for row in written["signatures"]:
        row["object"] = "GPU 5"
    signed.write_text(yaml.safe_dump(written))
    code, text = call(capsys, signed.parent, "--list")
    assert (code, "a signature of other words" in text) == (1, True), text


@pytest.mark.parametrize(
    ("person", "name", "sentence"),
    [
        ("Ann Ng", "", "signs waivers with the key SHA256:"),
        ("Ann Ng", "bo", "for Ann Ng"),
        ("Cy Roe", "bo", "acceptance.approvers has no key of Cy Roe"),
    ],
)
def test_the_key_is_that_of_the_person(person: str, name: str, sentence: str, folder: Path, capsys) -> None:
    words = ["--key", key(folder, name)] if name else []
    code, text = call(capsys, folder, *ROW, *WHY, "--by", person, *words)
    assert (code, sentence in text) == (2, True), text
    assert (folder / "waivers.yaml").read_text() == "# by hand\nwaivers: []\n"


def test_a_person_without_a_key_is_a_name_as_before(folder: Path, capsys) -> None:
    assert call(capsys, folder, *ROW, *WHY, "--by", "Cy Roe")[0] == 0
    code, text = call(capsys, folder, *ROW, "--approve", "--by", "Ann Ng", "--key", key(folder, "ann"))
    assert (code, "is waived by Cy Roe and Ann Ng" in text) == (0, True), text


def test_two_persons_have_two_keys(folder: Path, capsys) -> None:
    site = folder / "site.yaml"
    fingerprints = [approver["key"] for approver in yaml_text.load(site.read_text())["acceptance"]["approvers"][:2]]
    change(site, fingerprints[1], fingerprints[0])
    code, text = call(capsys, folder, "--list")
    assert (code, "two persons have this key" in text, "acceptance.approvers[1].key" in text) == (1, True, True), text


@pytest.mark.parametrize(("public", "signature"), [("", ""), ("!!", "zz"), ("AAAA", "00"), ("QUJD", "")])
def test_a_malformed_signature_is_nobodys(public: str, signature: str) -> None:
    row = WaiverSignature(approver="Ann Ng", check="c", node="n", key=public, signature=signature)
    assert attest.waiver_signer(b"content", row) == ""


def test_a_signature_of_no_hex_is_nobodys(tmp_path: Path) -> None:
    attest.generate_key(tmp_path / "key")
    signing = attest.load_signing_key(str(tmp_path / "key"), lambda _: "")
    good = attest.sign_waiver(b"content", build.waiver(), "Ann Ng", signing)
    assert attest.waiver_signer(b"content", good) == signing.public.fingerprint
    for spoiled in ("", "zz", good.signature[:-2], good.signature[64:] + good.signature[:64]):
        assert attest.waiver_signer(b"content", good.model_copy(update={"signature": spoiled})) == ""
    assert attest.waiver_signer(b"other content", good) == ""
