"""The gate for others: says over HTTP what is held and what is released, and calls whoever waits for it.

    status_watch.py  reads the decisions again when they change        routes.py    what is answered
    tokens.py        who may ask, stored as hashes                     openapi.py   the same as a document
    logins.py        bounds guesses                                    metrics.py   numbers for Prometheus
    outbox.py        messages that wait to be delivered                webhooks.py  delivers them
    middleware.py    errors, tokens, time                              server.py    sockets, TLS, start and end
    bounds.py        the numbers of `bounds.yaml`

It decides nothing and changes nothing; it is the gate that releases.
"""
