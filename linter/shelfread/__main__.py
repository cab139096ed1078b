"""The process: `shelfread`, and `python -m shelfread`."""

import atexit
import gc
import os
import sys
import threading
from contextlib import suppress

from shelfread.core.support import interrupts, regex_cache, streams


def main() -> None:
    """Run the command line; an interruption is one at every moment, while modules load too."""
    # A short-lived process: collecting garbage costs more than it gives.
    gc.disable()
    regex_cache.cache_imported_patterns()
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
        else:
            _leave(done.code)
        raise
    except OSError as error:
        if not streams.is_output_error(error):
            raise
        _refuse_output(error)


def _leave(status: object) -> None:
    """Exit without freeing every object, which takes up to a tenth of a run; return if more is to be done at exit."""
    if not isinstance(status, int) or threading.active_count() > 1:
        return
    with suppress(OSError, ValueError):  # an output that cannot be written is reported at the usual exit
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _refuse_output(error: OSError) -> None:
    """Exit because the output cannot be written; files that were to be changed are whole."""
    with suppress(OSError):
        print(f"shelfread: the output cannot be written ({error.strerror})", file=sys.stderr, flush=True)
    streams.discard(sys.stdout)
    streams.discard(sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
