"""``python -m rewriter`` is the same as ``gender-fair``."""

import sys

from rewriter.cli.main import main

sys.exit(main())
