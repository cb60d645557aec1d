import re
import subprocess
import sys
import tomllib
import zipfile

import pytest

# Spelled in halves, so that this file does not name one.
HOSTS = (
    "pypi." + "org",
    "files.python" + "hosted",
    "registry.npm" + "js",
    "deb." + "debian",
    "repo." + "maven",
)


@pytest.mark.parametrize("name", ["runtime.txt", "dev.txt"])
def test_a_lock_pins_and_hashes_everything_and_names_no_host(root, name):
    lock = (root / "requirements" / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[A-Za-z])", lock.strip())

    assert len(entries) > 20
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []
    assert not re.search(r"://|^--|\.(org|com|io)\b", lock, re.MULTILINE)


def test_the_locks_hold_every_dependency_of_the_project(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = {
        name: set(
            re.findall(
                r"^([a-z0-9-]+)==", (root / "requirements" / name).read_text(encoding="utf-8"), re.MULTILINE
            )
        )
        for name in ("runtime.txt", "dev.txt")
    }
    wanted = {re.split(r"[<>=!\[]", each)[0].lower() for each in project["dependencies"]}
    for_development = {
        re.split(r"[<>=!\[]", each)[0].lower() for each in project["optional-dependencies"]["dev"]
    }

    assert wanted - locked["runtime.txt"] == set()
    assert (wanted | for_development) - locked["dev.txt"] == set()


def test_no_file_names_a_package_host(tracked):
    named = [(path.name, host) for path in tracked for host in HOSTS if host.encode() in path.read_bytes()]

    assert named == []


def test_no_file_names_a_package_index_or_a_trusted_host(tracked):
    option = re.compile(rb"--(?:extra-)?index-url[= ]|--trusted-" + rb"host|--find-" + rb"links[= ]")

    assert [path.name for path in tracked if option.search(path.read_bytes())] == []


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(root)]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = out.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_brings_the_site_s_templates_and_configuration(wheel, root):
    names = set(wheel.namelist())
    templates = [path for path in (root / "site_templates").rglob("*") if path.is_file()]

    assert "awf_archive/_site/mkdocs.yml" in names
    assert templates
    assert {
        f"awf_archive/_site/site_templates/{path.relative_to(root / 'site_templates').as_posix()}"
        for path in templates
    } <= names


def test_the_wheel_brings_the_package_and_nothing_else(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"awf_archive"}
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_every_module_of_the_package_is_in_the_wheel(wheel, root):
    modules = {path.relative_to(root).as_posix() for path in (root / "awf_archive").rglob("*.py")}

    assert modules - set(wheel.namelist()) == set()
