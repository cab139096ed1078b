"""The process: `shelfread`, and `python -m shelfread`."""

import gc
import sys


def main() -> None:
    """Run the command line; an interruption is one at every moment, while modules load too."""
    # A short-lived process: collecting garbage costs more than it gives.
    gc.disable()
    try:
        from shelfread.cli import group

        group(prog_name="shelfread")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
