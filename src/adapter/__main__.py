"""`python -m adapter` and the console script."""

import sys

from adapter.cli import run


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
