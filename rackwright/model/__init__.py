"""The vocabulary: every record that flows. It imports nothing of ours but `errors`.

asked     `site.Site` is what the owner declares; `sku` is what can be bought.
follows   `design.Design` is everything that follows from it; `resource.Machine` and `inventory.Inventory` are its
          form for Pulumi and Ansible; `check.Expectation` its form for judging one node.
seen      `evidence.*` is what machines, BMCs, fabric and scheduler said.
judged    `verdict.Verdict` compares seen with expected; `gate.Decision` lets a node join or not; `handover.Handover`
          is all of it together.

Asked, follows and seen are never mixed in one record.
"""
