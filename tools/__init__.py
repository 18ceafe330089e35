"""Scripts that make the tables of this repository; they run from a checkout and are not in the wheel.

From the root of the checkout: ``python -m tools.make_states FOLDER``. Each names in its docstring what it reads and
which table it writes.
"""

from pathlib import Path

#: where the tables are written
LEXICONS = Path(__file__).resolve().parents[1] / "lexicons"
