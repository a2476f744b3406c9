"""What the wheel brings runs on any system with a C library from 2.34 on."""

import importlib.metadata
import platform
import re
import shutil
import subprocess

import pytest
from conftest import program

import sorites as so
from sorites._library import library_path

FILES = [library_path(), library_path().parent / "sorites"]


@pytest.fixture(params=FILES, ids=lambda path: path.name)
def file(request):
    if shutil.which("objdump") is None or "site-packages" not in str(request.param):
        pytest.skip("objdump is missing, or this is no wheel")
    return request.param


def dump(flag, path):
    return subprocess.run(["objdump", flag, str(path)], capture_output=True, text=True, check=True).stdout


def tag():
    """The C library that the wheel says it needs."""
    tags = importlib.metadata.distribution("sorites").read_text("WHEEL")
    return tuple(map(int, re.search(r"Tag: py3-none-manylinux_(\d+)_(\d+)_x86_64", tags).groups()))


def test_no_symbol_of_the_c_library_is_newer_than_the_tag_says(file):
    versions = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", dump("-T", file))}
    assert versions and max(versions) <= tag()
    assert not re.search(r"GLIBCXX|CXXABI", dump("-T", file))


def test_only_libraries_of_the_c_library_are_needed(file):
    needed = set(re.findall(r"NEEDED\s+(\S+)", dump("-p", file)))
    assert needed <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2",
                      "ld-linux-x86-64.so.2", "librt.so.1"}


def test_the_library_shows_the_c_api_alone(file):
    if file.name != "libsorites.so":
        pytest.skip("of the library")
    shown = {line.split()[-1] for line in dump("-T", file).splitlines()
             if re.search(r"\sg\s+D[FO]\s", line) and "*UND*" not in line}
    assert shown and all(name.startswith("sorites_") for name in shown)


def test_a_wheel_of_debian_12_needs_2_34():
    if platform.libc_ver()[1] == "2.36":
        assert tag() == (2, 34)
    assert "Root-Is-Purelib: false" in importlib.metadata.distribution("sorites").read_text("WHEEL")
    assert importlib.metadata.version("sorites") == so.__version__


def test_the_command_comes_with_the_wheel():
    command = library_path().parents[5] / "bin/sorites"
    if not command.exists():
        pytest.skip("not installed")
    done = subprocess.run([str(command), "--version"], capture_output=True, text=True, check=True)
    assert so.__version__ in done.stdout
    wrong = subprocess.run([str(command), "infer", "/no/such/model"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "no such file" in wrong.stderr


def test_networks_without_torch_get_a_clear_word(sources, tmp_path):
    done = subprocess.run([program(), "infer", str(sources / "examples/mnist-addition/add1.json")],
                          capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/bin", "SORITES_TORCH_LIBRARY": str(tmp_path / "none.so")})
    assert done.returncode != 0 and "networks" in done.stderr


def test_importing_does_not_need_torch_or_pandas():
    import sys
    code = ("import sys; sys.modules['pandas'] = None; sys.modules['torch'] = None; import sorites as so; "
            "m = so.Model('1: P(A)').target('P', ['a', 'b']); r = m.infer(); print(r['P']['value'].tolist(), r['P'].dtype.names)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "'arg1', 'value'" in done.stdout
