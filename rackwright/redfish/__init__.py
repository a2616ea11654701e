"""Redfish: reads what a BMC reports and sends it requests.

`client.Client` speaks HTTPS to one BMC; `resources` are thin typed records of the documents we read; `inventory` turns them into evidence; `plan` compares with the declared machine and is pure; `provider*` offers all of it to Pulumi.
"""
