"""Machines as Pulumi resources: `plan` says what is wanted, `stacks/site` declares it, `up` drives the engine.

Import the part that is needed (`provision.plan.plan_requests`, `provision.up.provision_machines`, `provision.engine.find_engine`): they are far apart
in weight, and `rackwright check` waits for none of them.
"""
