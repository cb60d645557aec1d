"""A session's title in its metadata: the chat tool's own, unless it tells nothing."""

import pytest

TITLES = {
    "a name of the tool's": ("Export for the CLI", "Export for the CLI"),
    "a name for what has none": ("New Chat", "Add an export command to the CLI"),
    "tên mặc định": ("Cuộc trò chuyện mới", "Add an export command to the CLI"),
    "默认名称": ("新对话", "Add an export command to the CLI"),
}


def _markdown(folder, title):
    path = folder / "chat.md"
    path.write_text(
        f"# {title}\n\n## User\n\nhi\n\n## Assistant\n\nHello!\n\n"
        "## User\n\nAdd an export command to the CLI\n\n## Assistant\n\nDone.\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize(("given", "expected"), TITLES.values(), ids=TITLES)
def test_a_weak_title_gives_way_to_the_prompts(workspace, tmp_path, given, expected):
    workspace.save(_markdown(tmp_path, given))

    assert workspace.metadata("session-001")["title"] == expected


def test_a_window_that_began_with_a_greeting_is_called_by_what_came_then(workspace, talk):
    workspace.save(talk.ask("hello") and talk)
    assert workspace.metadata("session-001")["title"] == "hello"

    talk.ask("Add an export command to the CLI")
    workspace.save(talk)

    assert workspace.metadata("session-002")["title"] == "Add an export command to the CLI"
