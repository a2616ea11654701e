"""The HTTP server of the gate: reports what is held and what is released, and calls webhooks on changes.

    status_watch.py  reads the decisions again when they change        routes.py    handlers of requests
    tokens.py        bearer tokens, stored as hashes                   openapi.py   the API as a document
    logins.py        limits failed logins                              metrics.py   numbers for Prometheus
    outbox.py        messages that wait for delivery                   webhooks.py  delivers them
    middleware.py    errors, tokens, time limits                       server.py    sockets, TLS, start and end
    bounds.py        the numbers of `bounds.yaml`

It decides nothing and changes nothing; only the gate releases.
"""
