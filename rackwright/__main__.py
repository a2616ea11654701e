"""``python -m rackwright``."""

from rackwright.cli.main import main

raise SystemExit(main())
