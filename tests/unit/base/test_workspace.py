import pytest

from rackwright.base.errors import OutsideError, UsageError
from rackwright.base.workspace import Workspace


def test_folders_are_made_for_their_owner_alone(tmp_path):
    workspace = Workspace(tmp_path / "deep" / "work")
    assert workspace.folder("evidence").stat().st_mode & 0o777 == 0o700
    assert workspace.ledger_url == f"sqlite:///{tmp_path}/deep/work/ledger.db"


@pytest.mark.parametrize(
    "use",
    [
        lambda workspace: workspace.folder("x"),
        lambda workspace: workspace.ledger_url,
        lambda workspace: workspace.claim("twin"),
    ],
)
def test_a_place_that_cannot_be_written_to(tmp_path, use):
    (tmp_path / "file").touch()
    with pytest.raises(OutsideError, match=r"file/work cannot be written to \(Not a directory\): give another folder"):
        use(Workspace(tmp_path / "file" / "work"))


@pytest.mark.parametrize(("first", "second"), [("site", "twin"), ("twin", "site")])
def test_rehearsals_and_the_real_site_never_share_a_folder(tmp_path, first, second):
    Workspace(tmp_path).claim(first)
    Workspace(tmp_path).claim(first)
    with pytest.raises(UsageError, match="the two must not mix, give another folder with --work"):
        Workspace(tmp_path).claim(second)
