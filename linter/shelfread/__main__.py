"""The process: `shelfread`, and `python -m shelfread`."""

import gc
import sys

from shelfread.core.support import interrupts


def main() -> None:
    """Run the command line; an interruption is one at every moment, while modules load too."""
    # A short-lived process: collecting garbage costs more than it gives.
    gc.disable()
    interrupts.resend_lost_interrupts()
    try:
        from shelfread.cli import group

        group(prog_name="shelfread")
    except KeyboardInterrupt:
        interrupts.clear_handled_interrupt()
        sys.exit(130)
    except SystemExit as done:
        if done.code == 130:
            interrupts.clear_handled_interrupt()
        raise


if __name__ == "__main__":
    main()
