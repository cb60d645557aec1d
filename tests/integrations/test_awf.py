"""`install awf`: sections in workflow files that come and go without touching another byte (issue 7, point 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.integrations.awf import with_sections, without_sections

FILES = {
    "plan.md": "---\ndescription: 📝 Thiết kế\n---\n\n# WORKFLOW: /plan\n\nBạn là ...\n",
    "code.md": "# no front matter, no line end",
    "debug.md": "---\r\ndescription: x\r\n---\r\n# CR LF\r\n",
    "save-brain.md": "\ufeff---\ndescription: x\n---\n# a mark\n",
    "recap.md": "---\ndescription: x\n---\n# WORKFLOW: /recap\n",
    "empty.md": "",
    "open.md": "---\n# never closed\n",
}


@pytest.fixture
def workflows(workspace):
    folder = workspace.root / ".agent/workflows"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_bytes(text.encode())
    return folder


def texts(folder):
    return {path.name: path.read_bytes().decode() for path in folder.iterdir()}


def test_installing_twice_changes_nothing_and_taking_back_leaves_the_very_bytes(awf, workflows):
    assert awf("install", "awf").code == 0
    installed = texts(workflows)
    assert awf("install", "awf").code == 0
    assert texts(workflows) == installed

    assert awf("uninstall", "awf").code == 0

    assert texts(workflows) == FILES


def test_a_workflow_begins_with_the_recap_and_ends_with_the_seed_s_section(awf, workflows):
    awf("install", "awf")

    text = texts(workflows)["plan.md"]
    assert text.startswith("---\ndescription: 📝 Thiết kế\n---\n<!-- awf-archive: begin head -->\n")
    assert (
        text.index("recap --inject")
        < text.index("# WORKFLOW: /plan")
        < text.index("## Post-Workflow: Auto-Save")
    )
    assert "awf-archive autosave workflow-end plan" in text
    assert "awf-archive autosave manual" in texts(workflows)["save-brain.md"]
    assert "\n" not in texts(workflows)["debug.md"].replace("\r\n", "")


def test_its_recap_runs_ours(awf, workflows):
    awf("install", "awf")

    text = texts(workflows)["recap.md"]
    assert text.index("awf-archive recap --place awf") < text.index("# WORKFLOW: /recap")
    assert "Auto-Save" not in text


def test_what_someone_wrote_around_it_stays(awf, workflows):
    awf("install", "awf")
    path = workflows / "code.md"
    path.write_text(path.read_text() + "more of mine\n")

    awf("uninstall", "awf")

    assert path.read_text() == "# no front matter, no line endmore of mine\n"


def test_dry_run_shows_it_and_writes_nothing(awf, workflows):
    answer = awf("install", "awf", "--dry-run")

    assert "+## Post-Workflow: Auto-Save" in answer.out
    assert texts(workflows) == FILES


def test_without_workflow_files_the_reason_is_told(awf):
    assert awf("install", "awf").code == 3


def test_a_link_out_of_the_folder_is_refused(awf, workflows, tmp_path):
    victim = tmp_path / "victim.md"
    victim.write_text("mine")
    (workflows / "deploy.md").symlink_to(victim)

    assert awf("install", "awf").code == 3
    assert victim.read_text() == "mine"
    assert "awf-archive" not in (workflows / "plan.md").read_text()


def test_the_global_workflows_are_another_scope(awf, tmp_path):
    folder = tmp_path / "home/.gemini/antigravity/global_workflows"
    folder.mkdir(parents=True)
    (folder / "test.md").write_text("# test\n")

    assert awf("install", "awf", "--scope", "global").code == 0
    assert "workflow-end test" in (folder / "test.md").read_text()


@given(st.text(st.sampled_from("ab-#\n\r \ufeff<!>")), st.sampled_from(["plan", "recap", "x"]))
def test_any_text_comes_back(text, name):
    assert without_sections(with_sections(text, name)) == text
