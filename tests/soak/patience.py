"""Limits of time that hold on a machine that is busy with other things: what a process waits for a processor, or for pages of
its own program when others have all the memory, is not its fault."""
import pathlib
import subprocess
import time

PROC = pathlib.Path("/proc")
LOOK = 1.0  # seconds between two looks at what a process does
AT_MOST = 10  # times the limit, whatever it waits for


def of_threads(pid, name):
    """The text of a file of every thread."""
    for path in (PROC / str(pid) / "task").glob(f"*/{name}"):
        try:
            yield path.read_text()
        except OSError:  # the thread has just ended
            pass


def had(pid):
    """Seconds of a processor that the thread which had the most has had; 0 where the system does not tell."""
    return 1e-9 * max((int(text.split()[0]) for text in of_threads(pid, "schedstat")), default=0)


def is_asleep(pid):
    """Whether no thread runs, waits for a processor (R), or for the disk or memory (D); true where the system does not tell."""
    return not any(text.rpartition(")")[2].split()[0] in "RD" for text in of_threads(pid, "stat"))


def communicate(process, seconds):
    """As Popen.communicate, which waits for the end. Raises subprocess.TimeoutExpired once the process has worked or slept for so many
    seconds."""
    begin = last = time.monotonic()
    first = before = had(process.pid)
    slept = 0.0
    while True:
        left = seconds - (before - first) - slept
        if left <= 0 or last - begin > AT_MOST * seconds:
            raise subprocess.TimeoutExpired(process.args, seconds)
        try:
            return process.communicate(timeout=min(max(0.1, left), LOOK))
        except subprocess.TimeoutExpired:
            now, after = time.monotonic(), had(process.pid)
            if is_asleep(process.pid):
                slept += now - last - (after - before)
            last, before = now, after
