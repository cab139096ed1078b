"""The process: `shelfread`, and `python -m shelfread`."""

import gc
import sys
from contextlib import suppress

from shelfread.core.support import interrupts, streams


def main() -> None:
    """Run the command line; an interruption is one at every moment, while modules load too."""
    # A short-lived process: collecting garbage costs more than it gives.
    gc.disable()
    streams.open_closed_streams()
    interrupts.resend_lost_interrupts()
    interrupts.stop_on_signals()
    try:
        from shelfread.cli import group

        group(prog_name="shelfread")
    except KeyboardInterrupt:
        interrupts.clear_handled_interrupt()
        sys.exit(interrupts.exit_status())
    except SystemExit as done:
        if done.code == interrupts.exit_status():
            interrupts.clear_handled_interrupt()
        raise
    except OSError as error:
        if not streams.is_output_error(error):
            raise
        _refuse_output(error)


def _refuse_output(error: OSError) -> None:
    """Exit because the output cannot be written; files that were to be changed are whole."""
    with suppress(OSError):
        print(f"shelfread: the output cannot be written ({error.strerror})", file=sys.stderr, flush=True)
    streams.discard(sys.stdout)
    streams.discard(sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
