"""Pull mode: nodes ask for signed orders, play them for themselves and post their results.

`PullPlayer` releases the hosts of a turn and waits for their results, `order_book` keeps the orders and takes a result once, `pull_server`
answers the nodes over TLS, `pull_keys` signs, and `enrolment` brings the agent (``node/pull_agent.py``) to a host.
"""
