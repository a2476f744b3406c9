"""usage: experiments_test.py EXPERIMENTS_RUN BUILD_DIR: the command line of experiments, on data that the project has."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN, BUILD = sys.argv[1:3]


def run(*arguments):
    return subprocess.run([sys.executable, RUN, *arguments], capture_output=True, text=True)


class ExperimentsTest(unittest.TestCase):
    def test_lists_every_experiment_with_a_line(self):
        done = run("--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(names, ["modular", "psl-learners", "citation", "mnist-add", "policy", "regularization",
                                 "noisy-digits", "inference-time", "warm-starts", "semi-supervised", "segmentation",
                                 "sequence-labelling", "markov-logic", "example"])

    def assert_refused(self, message, *arguments):
        done = run(*arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(message, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_names_what_is_wrong_with_the_command_line(self):
        self.assert_refused("no experiment 'nothing'", "nothing")
        self.assert_refused("name an experiment")
        self.assert_refused("is no list of numbers", "example", "--seeds", "one")
        self.assert_refused("has no settings", "example", "--only", "bilevel")
        self.assert_refused("is not built", "example", "--build", "/nowhere")
        self.assert_refused("no folder /nowhere/data", "modular", "--data", "/nowhere", "--build", BUILD)
        self.assert_refused("its folder is not there", "example", "--build", BUILD, "--json", "/nowhere/a.json")

    def test_says_which_data_set_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("data", "models", "golden"):
                pathlib.Path(folder, name).mkdir()
            self.assert_refused("no data set epinions", "modular", "--data", folder, "--build", BUILD)
            self.assert_refused("no results of PSL", "psl-learners", "--data", folder, "--build", BUILD)

    def test_writes_the_figures_of_its_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "figures.json")
            done = run("example", "--quick", "--build", BUILD, "--json", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)
            document = json.loads(path.read_text())
        self.assertEqual(document["name"], "example")
        self.assertEqual(len(document["rows"]), 7)
        for row in document["rows"]:
            self.assertEqual(set(row), {"setting", "metric", "mean", "std", "n", "seconds", "values"})
            self.assertEqual((row["metric"], row["n"], row["std"]), ("f1", 1, 0.0))
            self.assertTrue(0.5 < row["mean"] <= 1.0, row)
            self.assertIn(f"{row['mean']:.4f}", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
