"""The OpenAPI document: valid, complete, and what is really answered."""

from __future__ import annotations

from aiohttp import web

from rackwright.serve.openapi import COLLECTIONS, document
from rackwright.serve.routes import add_routes
from tests.unit.serve.conftest import NODES, get, play


def test_the_document_is_valid_openapi_3_1() -> None:
    from openapi_spec_validator import (
        OpenAPIV31SpecValidator,
    )  # its grammars take 1.4 s of processor time in every worker

    OpenAPIV31SpecValidator(document()).validate()


def test_every_route_is_described_and_every_description_has_a_route() -> None:
    app = web.Application()
    add_routes(app)
    routes = {
        (method.lower(), path.replace("{collection}", name))
        for route in app.router.routes()
        if (method := route.method) != "HEAD"
        for path in [route.resource.canonical]
        for name in (COLLECTIONS if "{collection}" in path else [""])
    }
    assert routes == {(method, path) for path, methods in document()["paths"].items() for method in methods}


def test_answers_are_as_described(site) -> None:
    import jsonschema

    site.decide(refused=NODES[:1])
    token = site.token()
    questions = {
        "/v1/site": ("/v1/site", 200),
        f"/v1/nodes/{NODES[0]}": ("/v1/nodes/{name}", 200),
        "/v1/racks": ("/v1/racks", 200),
        "/v1/units/nobody": ("/v1/units/{name}", 404),
        "/healthz": ("/healthz", 200),
    }

    async def test() -> None:
        async with site.serving() as session:
            served = await get(session, "/openapi.json")
            for path, (described, status) in questions.items():
                answer = await get(session, path, token, status)
                [content] = served["paths"][described]["get"]["responses"][str(status)]["content"].values()
                schema = {**content["schema"], "components": served["components"]}
                jsonschema.Draft202012Validator(schema).validate(answer)

    play(test())
