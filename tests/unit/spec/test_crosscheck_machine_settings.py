from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("server", "settings", "codes"),
    [
        ("dgx-h100", {"secure_boot": True}, set()),
        ("dgx-h100", {"secure_boot": False}, set()),
        ("dgx-h100", {"power_cap_watts": 8000}, {"spec.power_cap_not_offered"}),
        ("h20-8u", {"secure_boot": True}, {"spec.secure_boot_without_keys"}),
        ("h20-8u", {"secure_boot": False}, set()),
        ("inspur-nf5688m7", {"secure_boot": False}, {"spec.secure_boot_not_shown"}),
        ("atlas-900-a2", {"power_cap_watts": 3000}, set()),
        ("gb200-nvl72", {"wipe": "block-erase"}, set()),
        ("gb200-nvl72", {"wipe": "overwrite"}, {"spec.wipe_not_offered"}),
        ("dgx-h100", {"wipe": "crypto-erase"}, {"spec.wipe_not_offered"}),
        ("dgx-h100", {"wipe": "none"}, set()),
        ("l4-2u", {"wipe": "crypto-erase"}, {"spec.wipe_without_drives"}),
        ("atlas-900-a2", {"power_cap_watts": 50_000}, {"spec.power_cap_above_peak"}),
    ],
)
def test_only_what_bmcs_of_the_server_have(problems_of, example_data, server, settings, codes) -> None:
    example_data["pools"][0] |= {"server": server, **settings}
    paths = {f"pools[0].{name}" for name in settings}
    assert {code for code, path in problems_of(example_data) if path in paths} == codes


def test_accounts_of_bmcs_stand_once_and_have_a_password(problems_of, example_data) -> None:
    account = {"name": "monitor", "role": "ReadOnly"}
    listed = [
        account | {"password_env": "MONITOR"},
        account | {"enabled": False},
        {"name": "hands", "role": "Operator"},
    ]
    example_data["control"]["bmc"] = {"accounts": listed}
    assert {(code, path) for code, path in problems_of(example_data) if path.startswith("control.bmc")} == {
        ("spec.bmc_account_twice", "control.bmc.accounts[1].name"),
        ("spec.bmc_account_without_password", "control.bmc.accounts[2].password_env"),
    }
