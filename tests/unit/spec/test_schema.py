"""The JSON Schema that editors show: each field of a bill says what it is."""

from rackwright.model.site import Site


def test_every_field_of_the_bill_is_described():
    for name in ("Bill", "Software"):
        fields = Site.model_json_schema()["$defs"][name]["properties"]
        assert [field for field, message in fields.items() if not message.get("description")] == []
