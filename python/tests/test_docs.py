"""The Python of the docs runs: all blocks of a page together, and the notebooks of docs/tutorial."""

import json
import pathlib
import re
import sys
import warnings

import pytest

PAGES = ["README.md", "docs/python.md", "python/README.md"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.filterwarnings("ignore::sorites.SoritesWarning")
def test_blocks_of_pages_run(page, sources, tmp_path, monkeypatch):
    text = (sources / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert blocks
    if any("import torch" in block for block in blocks):
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def notebooks():
    return sorted((pathlib.Path(__file__).resolve().parents[2] / "docs/tutorial").glob("*.ipynb"))


@pytest.fixture
def this_python(tmp_path, monkeypatch):
    """The name of a kernel that is the Python of these tests: `python3` may be that of the system."""
    kernel = tmp_path / "jupyter/kernels/this-python"
    kernel.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": command, "display_name": kernel.name, "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    return kernel.name


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: getattr(path, "stem", "none"))
def test_notebooks_run_and_show_what_they_showed(path, this_python, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    written = nbformat.read(path, as_version=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = nbclient.NotebookClient(nbformat.from_dict(written.copy()), timeout=300, kernel_name=this_python,
                                        resources={"metadata": {"path": str(tmp_path)}}).execute()
    for number, (before, after) in enumerate(zip(written.cells, again.cells)):
        kinds = [output.output_type for output in after.get("outputs", [])]
        assert "error" not in kinds, number
        assert kinds == [output.output_type for output in before.get("outputs", [])], number
