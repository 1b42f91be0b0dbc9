"""The command ``ilk``, also as ``python -m ilk``."""

from __future__ import annotations

import sys

from . import _core


def main() -> int:
    """Run the command with the arguments of the process and return its exit code."""
    # The command has a handler of its own, which ends any stage.
    return _core.command(["ilk", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
