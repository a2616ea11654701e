"""Redfish: what a BMC says and what it is asked to do.

`client.Client` speaks HTTPS to one BMC; `resources` are thin typed records of the documents we read; `inventory`
turns them into evidence; `plan` compares with what is wanted and is pure; `provider*` offers all of it to Pulumi.
"""
