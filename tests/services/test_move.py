"""`move`: numbers, links, decisions and pointers; crashes, double moves and moves back (SPEC 1.1)."""

import shutil

import pytest
from crashes import dies_at

from awf_archive.domain.wording import choose
from awf_archive.errors import DamagedArchiveError, FeatureNameError, NoArchiveError, UsageError
from awf_archive.services.keep import existing_vault
from awf_archive.services.move import Moving, move
from awf_archive.services.show import turns
from awf_archive.services.verify import verify

OTHER = "0000bbbb-1111-4111-8111-00000000000b"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
QUESTION = {"question": "Which store?", "header": "Store", "options": [{"label": "Redis"}]}
ANSWER = 'User has answered your questions: "Which store?"="Redis"'


@pytest.fixture
def moving(workspace):
    return Moving(archive=workspace.archive, now="2026-03-06T10:00:00Z", words=choose("en"), threshold=20)


@pytest.fixture
def vaults(tmp_path):
    return tmp_path / "data/vault"


@pytest.fixture
def saved(workspace, talk, talk_class, tmp_path, vaults):
    """`login` holds another window's two turns, then two sessions of the talk: 3-5 and 6."""
    other = talk_class(tmp_path / "other.jsonl", OTHER).asks(2, "other")
    workspace.save(other, vaults=vaults)
    talk.user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}])
    talk.reply("A pixel.")
    talk.user("choose")
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, ANSWER)
    workspace.save(talk.asks(1), vaults=vaults)
    workspace.save(talk.asks(1), vaults=vaults)
    return talk


@pytest.fixture
def is_sound(workspace, vaults):
    def check():
        report = verify(workspace.archive, existing_vault(workspace.layout, vaults), threshold=20)
        assert [(one.code, one.path, one.message) for one in report.findings] == []

    return check


def texts(workspace, feature):
    return [(user, assistant) for _, user, assistant, _ in workspace.turns(feature)]


def test_the_turns_get_new_numbers_and_the_old_ones_lead_there(saved, workspace, moving, is_sound):
    before = texts(workspace, "login")

    done = move(moving, saved.window, "block-user")

    assert (done.source, done.target, done.numbers) == ("login", "block-user", (1, 4))
    assert texts(workspace, "login") == before[:2]
    assert texts(workspace, "block-user") == before[2:]
    assert [number for number, *_ in workspace.turns("block-user")] == [1, 2, 3, 4]
    assert [workspace.archive.resolve("login", old) for old in (1, 2, 3, 6)] == [
        ("login", 1),
        ("login", 2),
        ("block-user", 1),
        ("block-user", 4),
    ]
    is_sound()


def test_show_leads_on_from_an_old_number_and_through_a_range(saved, workspace, moving):
    move(moving, saved.window, "block-user")

    (one,) = turns(workspace.archive, "login#6")
    several = list(turns(workspace.archive, "login#2-4"))

    assert (one.feature, one.entry.turn) == ("block-user", 4)
    assert [(turn.feature, turn.entry.turn) for turn in several] == [
        ("login", 2),
        ("block-user", 1),
        ("block-user", 2),
    ]
    with pytest.raises(NoArchiveError):
        list(turns(workspace.archive, "login#7"))


def test_the_sessions_stay_linked_and_keep_their_attachments(saved, workspace, moving):
    move(moving, saved.window, "block-user")

    first, second = workspace.archive.sessions("block-user")
    assert (first[1].continues, second[1].continues) == (None, "session-001")
    (name,) = first[1].turns[0].attachments
    folder = workspace.layout.session("block-user", "session-001")
    assert (folder / "attachments" / name).read_bytes().startswith(b"\x89PNG")


def test_decisions_go_along_under_new_ids_and_stay_as_pointers(saved, workspace, moving):
    (before,) = workspace.archive.decisions("login")

    move(moving, saved.window, "block-user")

    assert workspace.archive.decisions("login") == ()
    (pointer,) = workspace.archive.all_decisions("login")
    (now,) = workspace.archive.decisions("block-user")
    assert pointer.moved_to == "block-user D-001"
    assert (now.text, now.turn, now.session, before.turn) == (before.text, 2, "session-001", 4)


def test_what_is_said_later_goes_to_the_new_feature(saved, workspace, moving, vaults, is_sound):
    move(moving, saved.window, "block-user")

    done = workspace.save(saved.asks(2), feature=None, vaults=vaults)

    assert (done.feature, done.rule, done.numbers) == ("block-user", "saved", (5, 6))
    assert workspace.save(saved, feature=None, vaults=vaults).saved == 0
    is_sound()


def test_numbers_of_the_old_feature_are_never_given_again(saved, workspace, moving, talk_class, tmp_path):
    move(moving, saved.window, "block-user")

    done = workspace.save(talk_class(tmp_path / "new.jsonl", "0000cccc-1111-4111-8111-00000000000c").asks(1))

    assert (done.feature, done.numbers) == ("login", (7, 7))


def test_moving_back_and_forth_always_leads_to_where_the_turns_are(saved, workspace, moving, is_sound):
    before = texts(workspace, "login")

    move(moving, saved.window, "block-user")
    back = move(moving, saved.window, "login")
    again = move(moving, saved.window, "block-user")

    assert (back.numbers, again.numbers) == ((7, 10), (5, 8))
    for old in (("login", 3), ("block-user", 1), ("login", 7), ("block-user", 5)):
        assert workspace.archive.resolve(*old) == ("block-user", 5)
    assert texts(workspace, "block-user") == before[2:]
    assert [one.text for one in workspace.archive.decisions("block-user")] == ["Store: Redis"]
    is_sound()


def test_every_window_of_a_feature_can_leave_it(saved, workspace, moving, is_sound):
    for window in (saved.window, OTHER):
        move(moving, window, "block-user")

    assert workspace.turns("login") == []
    assert len(workspace.turns("block-user")) == 6
    is_sound()


def test_the_beginning_of_an_id_is_enough_if_it_is_one_windows(saved, moving):
    with pytest.raises(UsageError, match="several windows begin so"):
        move(moving, "0000", "block-user")

    assert move(moving, saved.window[:8], "block-user").window == saved.window


@pytest.mark.parametrize(
    ("window", "target", "error"),
    [
        pytest.param("ffff", "block-user", NoArchiveError, id="no such window"),
        pytest.param(OTHER, "login", UsageError, id="there already"),
        pytest.param(OTHER, "../up", FeatureNameError, id="an unsafe name"),
    ],
)
@pytest.mark.usefixtures("saved")
def test_a_move_that_cannot_be_changes_nothing(workspace, moving, snapshot, window, target, error):  # noqa: PLR0917
    before = snapshot(workspace.layout.archive)

    with pytest.raises(error):
        move(moving, window, target)

    assert snapshot(workspace.layout.archive) == before


def test_a_missing_turn_file_stops_the_move_before_anything_is_lost(saved, workspace, moving):
    path = workspace.layout.session("login", "session-002") / "turn-002.md"
    path.unlink()

    with pytest.raises(DamagedArchiveError, match=r"turn-002\.md: missing"):
        move(moving, saved.window, "block-user")

    assert workspace.archive.require("login").moved == ()
    assert workspace.archive.features() == ["login"]


def test_a_move_that_dies_at_any_operation_is_finished_by_running_it_again(
    saved, workspace, moving, monkeypatch, tmp_path
):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)
    monkeypatch.setattr("awf_archive.store.lock.UNCLAIMED", 0.0)
    monkeypatch.setattr("awf_archive.store.lock._POLL", 0.001)
    before = texts(workspace, "login")
    copy = tmp_path / "copy"
    shutil.copytree(workspace.root, copy)
    operation = 0

    while dies_at(operation, lambda: move(moving, saved.window, "block-user")):
        held = texts(workspace, "login") + texts(workspace, "block-user")
        assert [one for one in before if one not in held] == [], operation
        try:
            move(moving, saved.window, "block-user")
        except UsageError as problem:
            assert "already" in problem.message  # noqa: PT017 - the move was complete when it died
        assert texts(workspace, "login") == before[:2]
        assert texts(workspace, "block-user") == before[2:]
        assert workspace.archive.resolve("login", 6) == ("block-user", 4)
        assert len(workspace.archive.decisions("block-user")) == 1
        assert [one.name for one in workspace.layout.sessions("login").iterdir()] == ["session-001"]
        report = verify(workspace.archive, None, threshold=20)
        assert [(one.code, one.path) for one in report.findings] == [], operation
        shutil.rmtree(workspace.root)
        shutil.copytree(copy, workspace.root)
        operation += 1

    assert operation > 30
