# Two commands matter: `make rehearse` runs the main job on the example site, `make test` passes the tests.
# Both set up what they need, say what they install, and do nothing twice.

SHELL := /bin/bash
.DEFAULT_GOAL := help
SITE ?= inventories/h100-pod/site.yaml
NODES ?= 8
BIN := .venv/bin
SYSTEM := engine or twin or slurm or fabric or kubectl or postgres
SYSTEM_FILES = $(sort $(shell grep -lrE --include='*.py' 'mark\.(engine|twin|slurm|fabric|postgres)' tests))
# Twins wait for a part of their time: one worker more than there are cores; more of them than groups of tests have nothing to do.
WORKERS ?= $(shell cores=$$(nproc); echo $$((cores < 8 ? cores + 1 : 8)))

.PHONY: help setup rehearse test lint unit system faults bench collection lock clean

help:  ## say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## install what is missing: Debian packages, .venv, Pulumi engine
	@tools/setup

rehearse: setup  ## bring up, onboard, accept and hand over the example site on its digital twin
	@$(BIN)/rackwright rehearse $(SITE) --nodes $(NODES) $(ARGS)

test: setup lint unit system  ## everything that must be true

lint:  ## style, types, import contracts, roles
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/yamllint --strict .
	$(BIN)/ansible-lint --offline --strict roles

unit:  ## fast tests, no root needed
	@tools/openmpi
	$(BIN)/pytest -q -n auto -m "not ($(SYSTEM)) and not gpu"

system:  ## tests on the twin: engine, namespaces, Slurm, fabric
	$(BIN)/pytest -q -n $(WORKERS) --dist loadgroup --no-loadscope-reorder -m "($(SYSTEM)) and not gpu" $(SYSTEM_FILES)

faults:  ## play every fault on every kind of site, and write validators/FAULTS.md
	$(BIN)/pytest -q tests/rehearsal/test_campaign.py --update-golden

bench:  ## measure the speed goals
	$(BIN)/python benchmarks/run.py

collection:  ## pack the roles as an Ansible collection, into dist/
	$(BIN)/python tools/collection

lock:  ## refresh requirements.lock from pyproject.toml
	$(BIN)/uv pip compile --quiet --python-version 3.11 --extra dev --generate-hashes --no-emit-index-url --no-annotate \
	  --no-header --upgrade pyproject.toml --output-file requirements.lock

clean:  ## remove what rehearsals left in this checkout and in memory
	rm -rf .rackwright /dev/shm/rackwright-*
