from types import SimpleNamespace

import pytest

HDK = {
    "ascend_driver_version": "25.2.3",
    "ascend_driver_firmware": "7.7.0.10.220",
    "ascend_driver_chip": "910b",
    "ascend_driver_npus": 2,
    "ascend_driver_mirror": "http://m/apt/",
    "rackwright_os": "ubuntu-22.04",
}
PORTS = [{"address": f"10.0.0.{n}", "netmask": "255.255.255.0", "gateway": "10.0.0.1"} for n in (16, 17)]


@pytest.fixture
def ascend(declared):
    return lambda **more: declared("ascend_driver", **{"os": "ubuntu-22.04", **HDK, **more})


@pytest.fixture
def module(host_module):
    return host_module("ascend_packages")


WANT = {"driver": "25.2.3", "firmware": "7.7.0", "runtime": "7.1.0"}
NOTHING = {"driver": "", "firmware": "", "runtime": "", "cann": ""}
OLD = {**NOTHING, "driver": "24.1.0", "firmware": "7.5.0", "runtime": "7.0.0"}


@pytest.mark.parametrize(
    ("have", "interrupted", "expected"),
    [
        (NOTHING, [], [("driver", "--full"), ("firmware", "--full"), ("runtime", "--install")]),
        (OLD, [], [("firmware", "--upgrade"), ("driver", "--upgrade"), ("runtime", "--upgrade")]),
        # a first installation that ended after the driver, or in it
        ({**NOTHING, "driver": "25.2.3"}, [], [("firmware", "--full"), ("runtime", "--install")]),
        ({**NOTHING, "driver": "25.2.3"}, ["driver"], [("driver", "--full"), ("firmware", "--full"), ("runtime", "--install")]),
        # an upgrade that ended after the firmware, or in the driver
        ({**OLD, **WANT, "driver": "24.1.0"}, [], [("driver", "--upgrade")]),
        ({**OLD, **WANT}, ["driver"], [("driver", "--full")]),
        # the driver was taken away: a first installation again, and the firmware is as it should be
        ({**NOTHING, **WANT, "driver": ""}, [], [("driver", "--full")]),
        ({**NOTHING, **WANT}, [], []),
    ],
)  # fmt: skip
def test_the_order_follows_from_what_is_installed(module, have, interrupted, expected):
    assert module.steps(have, WANT, interrupted) == expected


def test_what_is_installed_is_read_of_the_vendors_records(module, tmp_path):
    path = tmp_path / "version.info"
    path.write_text("Version=24.1.rc3\nascendhal_version=7.35.23\npackage_version=24.1.rc3\n")
    records = {"driver": (str(path), r"^Version=(.+)$"), "firmware": (str(tmp_path / "none"), "x")}
    assert module.installed(records) == {"driver": "24.1.rc3", "firmware": ""}


class Fake:
    """A host on which an installer leaves prepared files."""

    def __init__(self, module, tmp_path, monkeypatch, *, leaves=None, says=""):
        self.params = {"parts": {"driver": {"version": "25.2.3", "path": "/d.run"}}, "even_if_unhealthy": False}
        self.ran, self._says, self._leaves, self._record = [], says, leaves, tmp_path / "version.info"
        monkeypatch.setattr(module, "RECORDS", {"driver": (str(self._record), r"^Version=(.+)$")})
        monkeypatch.setattr(module, "PENDING", str(tmp_path / "pending.{}"))
        monkeypatch.setattr(module, "REBOOT", str(tmp_path / "reboot"))

    def run_command(self, argv, **_):
        self.ran.append(argv)
        if "sh" in argv and self._leaves:
            self._record.write_text(f"Version={self._leaves}\n")
        return 0, self._says, ""


def test_a_step_is_remembered_until_it_has_ended_well(module, tmp_path, monkeypatch):
    fake = Fake(module, tmp_path, monkeypatch, leaves="24.1.0")
    with pytest.raises(module.ActError, match=r"left version 24\.1\.0, wanted 25\.2\.3"):
        module.Run(fake).step("driver", "--full")
    assert (tmp_path / "pending.driver").exists()
    assert (tmp_path / "reboot").read_text() == "driver\n"
    good = Fake(module, tmp_path, monkeypatch, leaves="25.2.3")
    module.Run(good).step("driver", "--full")
    assert not (tmp_path / "pending.driver").exists()
    assert (tmp_path / "reboot").read_text() == "driver\n"


def test_running_programs_and_sick_chips_are_left_alone(module, tmp_path, monkeypatch):
    todo, have = [("driver", "--upgrade")], {"driver": "24.1.0"}
    monkeypatch.setattr(module, "holders", lambda _: ["python (77)"])
    with pytest.raises(module.ActError, match=r"programs run on the NPUs: python \(77\); nothing was changed"):
        module.Run(Fake(module, tmp_path, monkeypatch)).refuse(todo, have)
    monkeypatch.setattr(module, "holders", lambda _: [])
    table = "| 0     910B3               | OK            | 90.0 \n| 1     910B3               | Alarm         | 90.0 \n"
    sick = Fake(module, tmp_path, monkeypatch, says=table)
    with pytest.raises(module.ActError, match="chips that are Alarm"):
        module.Run(sick).refuse(todo, have)
    sick.params["even_if_unhealthy"] = True
    module.Run(sick).refuse(todo, have)
    module.Run(Fake(module, tmp_path, monkeypatch, says=table.replace("Alarm", "OK   "))).refuse(todo, have)
    module.Run(Fake(module, tmp_path, monkeypatch)).refuse([("runtime", "--install")], have)


def test_programs_that_hold_devices_are_found(host_module, tmp_path):
    for number, target in ((7, "/dev/davinci3"), (12, "/dev/davinci_manager"), (9, "/dev/null")):
        folder = tmp_path / str(number) / "fd"
        folder.mkdir(parents=True)
        (folder / "4").symlink_to(target)
        (tmp_path / str(number) / "comm").write_text(f"name{number}\n")
    (tmp_path / "self").mkdir()
    holders = host_module("rackwright_holders").holders
    assert holders(["/dev/davinci[0-9]*"], str(tmp_path)) == ["name7 (7)"]
    assert holders(["/dev/kfd"], str(tmp_path)) == []


def test_files_have_the_names_of_their_hdk_and_a_digest(ascend):
    digest = "a" * 64
    result = ascend(
        ascend_driver_runtime="7.1.0", ascend_driver_sha256={"Ascend-hdk-910b-npu-firmware_7.7.0.10.220.run": digest}
    )
    files = {entry["url"]: entry for entry in result.part("install")["downloads"]}
    assert [url.rsplit("/", 1)[1] for url in files] == [
        "Ascend-hdk-910b-npu-driver_25.2.3_linux-x86_64.run",
        "Ascend-hdk-910b-npu-firmware_7.7.0.10.220.run",
        "Ascend-docker-runtime_7.1.0_linux-x86_64.run",
    ]
    assert {entry["digests"] for entry in files.values()} == {"http://m/apt/files/SHA256SUMS"}
    assert [entry["sha256"] for entry in files.values()] == ["", digest, ""]
    arm = {"release": "5.15", "cmdline": "", "modules": {}, "headers": True, "machine": "aarch64"}
    a3 = ascend(ascend_driver_chip="a3", facts={"kernel": arm}).part("install")["downloads"]
    assert a3[0]["path"].endswith("/Atlas-A3-hdk-npu-driver_25.2.3_linux-aarch64.run")


def test_cann_is_on_the_host_only_where_it_is_wanted(ascend):
    names = lambda result: [entry["path"] for entry in result.part("install")["downloads"]]  # noqa: E731 - asked twice
    assert not any("cann" in name for name in names(ascend(ascend_driver_cann="8.5.0")))
    assert any(
        "Ascend-cann-toolkit_8.5.0" in name
        for name in names(ascend(ascend_driver_cann="8.5.0", ascend_driver_cann_on_host=True))
    )


def test_accounts_have_the_vendors_numbers(ascend):
    part = ascend().part("install")
    assert {entry["name"]: entry["uid"] for entry in part["users"]} == {"HwHiAiUser": 1000, "hwMindX": 9000}
    assert next(entry for entry in part["users"] if entry["name"] == "hwMindX")["groups"] == ["HwHiAiUser"]


def test_a_reboot_is_asked_for_in_the_boot_of_the_installation_alone(ascend):
    noted = {"reboot": ["driver", "firmware"], "boot_id": "one"}
    assert "driver and firmware of the NPUs" in ascend_with(ascend, noted)[0]
    assert ascend_with(ascend, {**noted, "boot_id": "before"}) == []
    assert ascend_with(ascend, {**noted, "reboot": []}) == []
    assert ascend().reboot == []


def ascend_with(ascend, noted):
    result = ascend()
    result._variables["ansible_facts"] = {"rackwright_ascend": noted}
    return result.reboot


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ascend_driver_version": "latest"}, "driver must be a full version"),
        ({"ascend_driver_firmware": "7.7"}, "firmware must be a full version"),
        ({"ascend_driver_chip": "310"}, "no HDK is known for the chip 310"),
        ({"rackwright_os": "debian-12"}, "table has no debian-12 for 910b"),
        ({"ascend_driver_addresses": PORTS[:1]}, "2 NPUs and 1 addresses"),
        ({"ascend_driver_addresses": [PORTS[0], PORTS[0]]}, "two NPUs have one address"),
        ({"ascend_driver_addresses": [PORTS[0], {"address": "10.0.0.9"}]}, "needs address and netmask"),
        ({"ascend_driver_cann_on_host": True}, "no version is given"),
        ({"ascend_driver_sha256": {"x.run": 0}}, "must be 64 hexadecimal digits"),
    ],
)
def test_what_cannot_work_is_refused(ascend, change, message):
    assert message in ascend(**change).refused


def test_what_can_work_is_not(ascend):
    assert ascend(ascend_driver_addresses=PORTS).refused == ""
    assert ascend(ascend_driver_version="25.3.rc1").refused == ""
    assert ascend(rackwright_os="debian-12", ascend_driver_untested_system=True).refused == ""


def test_the_design_gives_each_npu_an_address():
    from pathlib import Path

    from rackwright import catalog, design, spec
    from rackwright.onboard import facts
    from rackwright.onboard.traits import traits

    site = spec.load(Path(__file__).parents[2] / "roles" / "sites" / "vendors.yaml").site
    plan = design.expand(site, catalog.load(site.catalog))
    names = facts.of_node()
    context = facts.Context(plan, {})
    result = names["npu_addresses"](context, plan.node("ascend-001"))
    assert len(result) == 8
    assert result[0] == {"address": "10.96.0.16", "netmask": "255.255.255.128", "gateway": "10.96.0.1"}
    assert len({entry["address"] for entry in result}) == 8
    assert names["ascend_chip"](context, plan.node("ascend-001")) == "910b"
    assert names["npu_addresses"](context, plan.node("amd-001")) == []
    assert names["scale_up_links"](context, plan.node("amd-001")) == 7
    assert names["accelerator_product"](context, plan.node("gaudi-001")) == "HL-325L"
    # its RoCE ports are no devices of the host: nothing there for the roles of RDMA adapters
    assert traits(plan, plan.node("ascend-001"), site.software.bill("ascend"))["rdma"] == []


def test_a_digest_of_the_list_counts_where_none_is_given(host_module, tmp_path):
    fetch = host_module("rackwright_fetch")
    (tmp_path / "a.run").write_bytes(b"content")
    good = fetch.digest(tmp_path / "a.run")
    (tmp_path / "SHA256SUMS").write_text(f"{good}  a.run\n{'0' * 64}  b.run\n")
    base = {"digests": (tmp_path / "SHA256SUMS").as_uri(), "path": str(tmp_path / "copy")}
    act = SimpleNamespace(check=False, changed=lambda *_: None)
    fetch.bring(act, {**base, "url": (tmp_path / "a.run").as_uri()})
    assert (tmp_path / "copy").read_bytes() == b"content"
    (tmp_path / "b.run").write_bytes(b"other")
    with pytest.raises(fetch.ActError, match="expected sha256:0000"):
        fetch.bring(act, {**base, "url": (tmp_path / "b.run").as_uri()})
    with pytest.raises(fetch.ActError, match=r"does not list c\.run"):
        fetch.bring(act, {**base, "url": (tmp_path / "c.run").as_uri()})
