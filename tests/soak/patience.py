"""Limits of time that hold on a machine that is busy with other things: what a process waits for a processor is not its fault."""
import pathlib
import subprocess
import time


def waited(pid):
    """Seconds that the thread which waited longest was ready to run, and was not let; 0 where the system does not tell."""
    longest = 0
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            longest = max(longest, int(path.read_text().split()[1]))
        except (OSError, ValueError, IndexError):  # the thread has just ended
            pass
    return longest * 1e-9


def communicate(process, seconds):
    """As Popen.communicate, which waits for the end. Raises subprocess.TimeoutExpired once the process had so many seconds of its own."""
    begin = time.monotonic()
    before = waited(process.pid)
    while True:
        left = seconds - (time.monotonic() - begin - (waited(process.pid) - before))
        if left <= 0:
            raise subprocess.TimeoutExpired(process.args, seconds)
        try:
            return process.communicate(timeout=max(0.1, left))
        except subprocess.TimeoutExpired:
            pass
