"""Serves the policies of rackwright to the engine: `pulumi up --policy-pack stacks/policy`."""

from rackwright.provision.policy_server import serve

serve()
