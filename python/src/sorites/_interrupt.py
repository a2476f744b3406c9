"""Ctrl-C while the library works: it ends early, with the best it has.

Python runs signal handlers between its own instructions, so not before a call into the library has
returned. But the signal itself can be made to wake up another thread (signal.set_wakeup_fd), and
that thread asks the library to stop.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from typing import Any, Callable, Optional


class _Watcher:
    """One thread for all calls of the main thread; made when it is first needed."""

    def __init__(self) -> None:
        self.reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        self.stop: Optional[Callable[[], None]] = None
        threading.Thread(target=self._watch, name="sorites-interrupt", daemon=True).start()

    def _watch(self) -> None:
        while True:
            numbers = self.reader.recv(64)
            stop = self.stop
            if signal.SIGINT in numbers and stop is not None:
                stop()


_watcher: Optional[_Watcher] = None


def _forget_watcher() -> None:
    global _watcher
    _watcher = None  # threads do not come along when a process is copied


os.register_at_fork(after_in_child=_forget_watcher)


class StopsOnInterrupt:
    """While this is entered, Ctrl-C calls `stop` instead of raising KeyboardInterrupt, and `heard` counts how
    often. A class, not a generator: it is entered for every call, and some take no longer than that."""

    __slots__ = ("_stop", "_before", "_wakeup", "heard")

    def __init__(self, stop: Callable[[], None]):
        self._stop = stop
        self._before: Any = None
        self.heard = 0

    def __enter__(self) -> "StopsOnInterrupt":
        if threading.current_thread() is not threading.main_thread():
            return self
        before = signal.getsignal(signal.SIGINT)
        if before is None or before is signal.SIG_IGN:
            return self
        global _watcher
        if _watcher is None:
            _watcher = _Watcher()
        _watcher.stop, self._before = self._stop, before
        signal.signal(signal.SIGINT, self._on_signal)
        self._wakeup = signal.set_wakeup_fd(_watcher.writer.fileno(), warn_on_full_buffer=False)
        return self

    def _on_signal(self, number: int, frame: object) -> None:
        self.heard += 1
        self._stop()

    def __exit__(self, *exception: object) -> None:
        if self._before is None:
            return
        signal.set_wakeup_fd(self._wakeup)
        signal.signal(signal.SIGINT, self._before)
        if _watcher is not None:
            _watcher.stop = None
