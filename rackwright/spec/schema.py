"""The JSON Schema of ``site.yaml``, for editors."""

from __future__ import annotations

from typing import Any

from rackwright.model.field_texts import DescribedSchema
from rackwright.model.site import Site


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the site file; descriptions are the docstrings of the records."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rackwright site.yaml",
        **{
            key: value
            for key, value in Site.model_json_schema(schema_generator=DescribedSchema).items()
            if key != "title"
        },
    }
