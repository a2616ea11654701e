"""The vocabulary: every record that flows between stages. Imports nothing of rackwright but `errors`.

declared  `site.Site` is the owner's declaration; `sku` is what can be bought.
designed  `design.Design` is everything that follows from it; `resource.Machine` and `inventory.Inventory` are its
          form for Pulumi and Ansible; `check.Expectation` its form for judging one node.
observed  `evidence.*` holds the readings of machines, BMCs, fabric and scheduler.
judged    `verdict.Verdict` compares observed with expected; `gate.Decision` lets a node join or not; `handover.Handover`
          is all of it together.

Declared, designed and observed values are never mixed in one record.
"""
