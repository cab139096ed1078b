"""The process: `shelfread`, and `python -m shelfread`."""

import gc
import sys

from shelfread import interruption


def main() -> None:
    """Run the command line; an interruption is one at every moment, while modules load too."""
    # A short-lived process: collecting garbage costs more than it gives.
    gc.disable()
    interruption.keep()
    try:
        from shelfread.cli import group

        group(prog_name="shelfread")
    except KeyboardInterrupt:
        interruption.forget()
        sys.exit(130)
    except SystemExit as done:
        if done.code == 130:
            interruption.forget()
        raise


if __name__ == "__main__":
    main()
