"""The process: `shelfread`, and `python -m shelfread`."""

import atexit
import gc
import sys
from contextlib import suppress

from shelfread.core import process


def main() -> None:
    """Run the command line; an interruption is one at every moment, while modules load too."""
    # A short-lived process: collecting garbage costs more than it gives, at its end too.
    gc.disable()
    atexit.register(gc.freeze)
    process.open_closed_streams()
    process.resend_lost_interrupts()
    process.stop_on_signals()
    try:
        from shelfread.cli import group

        group(prog_name="shelfread")
    except KeyboardInterrupt:
        process.clear_handled_interrupt()
        sys.exit(process.exit_status())
    except SystemExit as done:
        if done.code == process.exit_status():
            process.clear_handled_interrupt()
        raise
    except OSError as error:
        if not process.is_output_error(error):
            raise
        _refuse_output(error)


def _refuse_output(error: OSError) -> None:
    """Exit because the output cannot be written; files that were to be changed are whole."""
    with suppress(OSError):
        print(f"shelfread: the output cannot be written ({error.strerror})", file=sys.stderr, flush=True)
    process.discard(sys.stdout)
    process.discard(sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
