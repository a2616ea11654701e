"""Fields below a name that the site gives: the bill of a pool."""

from rackwright.model.site import Site
from rackwright.model.software import Bill
from rackwright.spec.fields import field_at, model_at


def test_the_record_of_a_pool_is_its_bill():
    assert model_at(Site, ("software", "pools", "train")) is Bill
    assert field_at(Site, ("software", "pools", "train", "driver")) is Bill.model_fields["driver"]


def test_what_is_no_record_has_none():
    assert model_at(Site, ("software", "options", "boot_cmdline_extra")) is None
    assert field_at(Site, ("software", "pools", "train", "drivr")) is None
