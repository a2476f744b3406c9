#!/usr/bin/python3 -B
"""usage: soak_test.py: every part of soak finds a program that misbehaves."""
import contextlib
import io
import os
import pathlib
import random
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import bit_flips
import command_lines
import full_disk
import killed
import patience
from trial import Outcome, Runner, Tally

# Writes what it is asked to, but not at once, and never looks at what it reads.
CARELESS = """#!/bin/bash
[ "$2" = --help ] && { echo "  --output DIR"; exit; }
while [ $# -gt 0 ]; do
  case $1 in --output|--snapshot|--rules-out|--save-state|--plot|--log) out=$2;; esac
  shift
done
[ -n "$out" ] || { echo '{}'; exit 0; }
case $out in *results) mkdir -p "$out"; out=$out/SMOKES.txt;; esac
mkdir -p "$(dirname "$out")"
{ for i in 1 2 3 4 5 6; do echo "line $i"; sleep 0.01; done; } > "$out" 2>/dev/null
exit 0
"""
CRASHES = """#!/bin/bash
[ "$2" = --help ] && { echo "  --output DIR"; exit; }
kill -SEGV $$
"""


class SoakTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def tally(self, script, part, seconds=1.0, **options):
        program = self.folder / "program"
        program.write_text(script)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        work = self.folder / "work"
        work.mkdir()
        tally = Tally("part", self.folder / "kept")
        with contextlib.redirect_stdout(io.StringIO()):
            part(Runner(program), work, seconds, 1, tally, **options)
        return tally

    def test_a_part_of_a_file_after_kill_is_found(self):
        tally = self.tally(CARELESS, killed.run_kills)
        self.assertIn("SIGKILL left a part of the output", " ".join(tally.findings))

    def test_a_part_of_a_file_on_a_full_disk_is_found(self):
        self.assertIn("exit code 0, though the output is not there", " ".join(self.tally(CARELESS, full_disk.run).findings))

    def test_a_crash_for_a_bad_command_line_is_found(self):
        tally = self.tally(CRASHES, command_lines.run, 0.1, at_least=5)
        self.assertEqual(len(tally.findings), tally.tries)
        self.assertIn("signal 11", tally.findings[0])

    def test_what_was_found_is_kept_with_its_command(self):
        self.tally(CRASHES, command_lines.run, 0.1, at_least=1)
        self.assertIn("signal 11", (self.folder / "kept/part-1/finding.txt").read_text())

    def test_a_program_that_takes_a_bad_command_line_is_found(self):
        tally = self.tally(CARELESS, command_lines.run, 0.1, at_least=20)
        self.assertIn("exit code 0", " ".join(tally.findings))

    def test_every_bad_end_is_told(self):
        self.assertIsNone(Outcome(2, "", "a message").trouble())
        for bad in (Outcome(None, "", ""), Outcome(-6, "", ""), Outcome(2, "", ""), Outcome(7, "", "text"),
                    Outcome(1, "", "terminate called after"), Outcome(1, "", "AddressSanitizer")):
            self.assertIsNotNone(bad.trouble(), bad)

    def start(self, program):
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_a_program_that_sleeps_for_ever_is_a_hang(self):
        with self.assertRaises(subprocess.TimeoutExpired):
            patience.communicate(self.start("import time; time.sleep(1000)"), 0.3)

    def test_what_a_program_waits_for_a_processor_is_not_counted(self):
        spin = f"import os; os.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})\nwhile True: pass"
        begin = time.monotonic()
        first, second = self.start(spin), self.start(spin)
        while min(patience.had(first.pid), patience.had(second.pid)) < 0.5:
            self.assertLess(time.monotonic() - begin, 60)
            time.sleep(0.05)
        self.assertFalse(patience.is_asleep(first.pid))
        # One processor for both: together they had no more than there was, but for a start on another one.
        self.assertGreater(time.monotonic() - begin, 0.6)
        with self.assertRaises(subprocess.TimeoutExpired):
            patience.communicate(first, 0.1)

    def test_what_a_program_waits_for_memory_is_not_counted(self):
        process = self.start("import time; time.sleep(1.2)")
        thread = self.folder / f"{process.pid}/task/{process.pid}"
        thread.mkdir(parents=True)
        (thread / "schedstat").write_text("1000000 0 1\n")
        (thread / "stat").write_text(f"{process.pid} (a ) S) D 1 1\n")
        with unittest.mock.patch.object(patience, "PROC", self.folder):
            patience.communicate(process, 1.0)
        self.assertEqual(process.returncode, 0)

    def test_a_program_that_waits_for_memory_for_ever_is_a_hang(self):
        with unittest.mock.patch.object(patience, "is_asleep", lambda pid: False):
            with self.assertRaises(subprocess.TimeoutExpired):
                patience.communicate(self.start("import time; time.sleep(1000)"), 0.05)

    def test_damage_changes_a_file(self):
        rng, data = random.Random(1), bytes(range(1, 200))
        self.assertTrue(all(bit_flips.damage(data, rng)[0] != data for _ in range(50)))


if __name__ == "__main__":
    unittest.main()
