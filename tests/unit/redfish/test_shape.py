"""Members of documents whose type depends on the document."""

from __future__ import annotations

from rackwright.redfish.resources.shape import oddity


def test_location_is_a_list_in_the_file_of_a_registry_alone() -> None:
    files = [{"Language": "en", "Uri": "/redfish/v1/Registries/BiosAttributeRegistry.json"}]
    registry = {"@odata.type": "#MessageRegistryFile.v1_1_3.MessageRegistryFile", "Location": files}
    assert oddity(registry) == ""
    assert oddity({**registry, "@odata.type": "#Drive.v1_20_0.Drive"}) == "Location is a list, expected an object"
    assert oddity({**registry, "Status": "OK"}) == "Status is text, expected an object"
