"""Keys of repositories that hosts use themselves: by fingerprint, and nothing besides them."""

import subprocess

import pytest


@pytest.fixture(scope="module")
def keys(host_module):
    return host_module("rackwright_keys")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Fingerprint -> armored key, of two owners: RSA with a subkey, and Ed25519."""
    home = tmp_path_factory.mktemp("gnupg")
    home.chmod(0o700)
    gpg = ["gpg", "--homedir", str(home), "--batch", "--quiet", "--passphrase", ""]
    armored = {}
    for owner, kind in (("vendor", "rsa2048"), ("other", "ed25519")):
        subprocess.run([*gpg, "--quick-generate-key", owner, kind, "sign", "never"], check=True)
        listing = subprocess.run(
            [*gpg, "--list-keys", "--with-colons", owner], check=True, capture_output=True, text=True
        ).stdout
        fingerprint = next(line.split(":")[9] for line in listing.splitlines() if line.startswith("fpr"))
        if kind == "rsa2048":
            subprocess.run([*gpg, "--quick-add-key", fingerprint, "rsa2048", "encr", "never"], check=True)
        armored[fingerprint] = subprocess.run(
            [*gpg, "--armor", "--export", owner], check=True, capture_output=True
        ).stdout
    subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "gpg-agent"], check=True)
    return armored


class Act:
    check = False

    def __init__(self):
        self.changes = []

    def changed(self, *what):
        self.changes.append(what)


def bring(keys, folder, content, fingerprints):
    (folder / "key.pub").write_bytes(content)
    act, path = Act(), folder / "keyrings" / "vendor.asc"
    keys.bring(act, {"url": (folder / "key.pub").as_uri(), "path": str(path), "fingerprints": fingerprints})
    return act, path


def test_only_the_named_keys_come_and_gpg_reads_them(keys, pairs, tmp_path):
    vendor, _ = pairs
    _, path = bring(keys, tmp_path, b"".join(pairs.values()), [vendor])
    listing = subprocess.run(
        ["gpg", "--show-keys", "--with-colons", path], check=True, capture_output=True, text=True
    ).stdout
    assert next(line.split(":")[9] for line in listing.splitlines() if line.startswith("fpr")) == vendor
    assert [line[:3] for line in listing.splitlines() if line[:3] in ("pub", "sub")] == ["pub", "sub"]
    imported = ["rpmkeys", "--dbpath", str(tmp_path / "rpm"), "--import", str(path)]
    assert subprocess.run(imported, check=False).returncode == 0, "rpm reads no armor without its checksum"
    assert bring(keys, tmp_path, b"unread", [vendor])[0].changes == []


def test_another_key_at_the_address_is_refused_and_leaves_nothing(keys, pairs, tmp_path):
    from ansible.module_utils.rackwright_act import ActError

    vendor, stranger = pairs
    with pytest.raises(ActError, match=f"has {stranger}, expected {vendor}; something else answers there"):
        bring(keys, tmp_path, pairs[stranger], [vendor])
    with pytest.raises(ActError, match="has no key, expected"):
        bring(keys, tmp_path, b"<html>a login page</html>", [vendor])
    assert list((tmp_path / "keyrings").iterdir()) == []


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_file_that_is_cut_off_has_no_keys(keys, pairs, cut):
    from rackwright.mirror.signature import binary

    content = binary(next(iter(pairs.values())))
    assert keys.keys(content).keys() == {next(iter(pairs))}
    assert keys.keys(content[:-cut]) == {}


def test_a_key_that_is_there_and_no_longer_accepted_is_replaced(keys, pairs, tmp_path):
    vendor, stranger = pairs
    bring(keys, tmp_path, pairs[vendor], [vendor])
    act, path = bring(keys, tmp_path, pairs[stranger], [stranger])
    assert act.changes[0][1] == "other keys\n"
    assert keys.keys(path.read_bytes()).keys() == {stranger}
