"""`python -m toolweir` is the command `toolweir`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
