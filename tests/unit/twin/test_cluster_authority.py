"""The CA of a twin's cluster: new for a new cluster, and the same for one that goes on."""

from __future__ import annotations

from cryptography import x509

from rackwright.twin.guest.products.cluster import public_key_sha256
from rackwright.twin.kubernetes.ca import ADMIN, ADMINISTRATORS, ClusterAuthority


def pin(authority: ClusterAuthority) -> str:
    return str(public_key_sha256(authority.certificate.decode()))


def test_a_cluster_that_goes_on_trusts_and_is_trusted_as_before(tmp_path):
    before = ClusterAuthority(tmp_path, "127.0.0.1")
    accounts, client = before.service_accounts.read_bytes(), before.identity(ADMIN, ADMINISTRATORS)
    after = ClusterAuthority(tmp_path, "127.0.0.1", keep=True)
    assert (pin(after), after.service_accounts.read_bytes()) == (pin(before), accounts)
    old, new = (x509.load_pem_x509_certificate(entry.certificate) for entry in (before, after))
    x509.load_pem_x509_certificate(client).verify_directly_issued_by(new)
    x509.load_pem_x509_certificate(after.server.read_bytes()).verify_directly_issued_by(old)


def test_a_new_cluster_has_keys_of_its_own_and_a_first_one_has_none_to_keep(tmp_path):
    before = ClusterAuthority(tmp_path, "127.0.0.1", keep=True)
    assert pin(ClusterAuthority(tmp_path, "127.0.0.1")) != pin(before)


def test_keys_are_for_their_owner_alone(tmp_path):
    (tmp_path / "ca.key").touch(mode=0o644)
    authority = ClusterAuthority(tmp_path, "127.0.0.1")
    assert {path.stat().st_mode & 0o777 for path in (authority.key, authority.server, authority.service_accounts)} == {
        0o600
    }
