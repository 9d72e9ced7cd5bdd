"""`python -m estimator` is `kcost`."""

from __future__ import annotations

import sys

from estimator.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
