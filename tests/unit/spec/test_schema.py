"""The JSON Schema that editors show: each field of a bill says what it is."""

from rackwright.spec import schema


def test_every_field_of_the_bill_is_described():
    for name in ("Bill", "Software"):
        fields = schema()["$defs"][name]["properties"]
        assert [field for field, message in fields.items() if not message.get("description")] == []
