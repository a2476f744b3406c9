"""Bars of progress, in a terminal and in a notebook."""

from __future__ import annotations

import html
import sys
import threading
import time
from typing import Any, Optional

from ._library import Progress

_PATIENCE = 0.5  # seconds: what takes less needs no bar
_PAUSE = 0.1  # between two looks of it


def in_notebook() -> bool:
    """Whether what is displayed is seen in a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return type(shell).__name__ == "ZMQInteractiveShell"


class ProgressBar:
    """Told by the library how far a call is; shows it if that takes long."""

    def __init__(self, notebook: bool):
        self._notebook = notebook
        self._begin = self._shown_at = time.monotonic()
        self._shown = False
        self._display: Any = None
        self.callback = Progress(self._tell)

    @staticmethod
    def if_wanted(progress: Optional[bool]) -> Optional["ProgressBar"]:
        """None: where somebody looks, a terminal or a notebook, and in the main thread alone."""
        if progress is False or threading.current_thread() is not threading.main_thread():
            return None
        notebook = in_notebook()
        if not progress and not notebook and not (sys.stderr and sys.stderr.isatty()):
            return None
        return ProgressBar(notebook)

    def _tell(self, user: Any, stage: bytes, share: float, state: bytes) -> None:
        now = time.monotonic()
        if now - self._begin < _PATIENCE or now - self._shown_at < _PAUSE:
            return
        self._shown, self._shown_at = True, now
        self._show(stage.decode(), share, state.decode("utf-8", "replace"), now - self._begin)

    def _show(self, stage: str, share: float, state: str, seconds: float) -> None:
        if self._notebook:
            self._show_in_notebook(stage, share, state, seconds)
            return
        width = 24
        filled = int(width * share)
        bar = f"[{'#' * filled}{'.' * (width - filled)}] {share:4.0%}" if share >= 0 else state
        sys.stderr.write(f"\r\x1b[K{stage} {bar} {seconds:.0f} s")
        sys.stderr.flush()

    def _show_in_notebook(self, stage: str, share: float, state: str, seconds: float) -> None:
        from IPython.display import HTML, display

        bar = f"<progress value='{share}' max='1'></progress>" if share >= 0 else html.escape(state)
        shown = HTML(f"<div>{html.escape(stage)} {bar} {seconds:.0f} s</div>")
        if self._display is None:
            self._display = display(shown, display_id=True)
        else:
            self._display.update(shown)

    def close(self) -> None:
        if self._shown and self._notebook and self._display is not None:
            from IPython.display import HTML

            self._display.update(HTML(""))
        elif self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
