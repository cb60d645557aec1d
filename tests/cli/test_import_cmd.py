"""`awf-archive import`: where conversations go, what is told, and what a second run costs (issue 3, point 3)."""

import json
import shutil
from pathlib import Path

import pytest

from awf_archive.cli import import_view
from awf_archive.domain.wording.import_words import IMPORT_WORDS
from awf_archive.services.import_history import Imported, Outcome
from awf_archive.services.sources import FileSource

WINDOW = "0000aaaa-1111-4111-8111-0000000000{:02d}"


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def chat(talk_class, home):
    """Write a Claude Code conversation of a folder where the tool keeps it; return it."""
    made = []

    def write(cwd, turns=2, word="question", branch="main"):
        made.append(cwd)
        window = WINDOW.format(len(made))
        path = home / "claude/projects" / f"-{len(made)}" / f"{window}.jsonl"
        talk = talk_class(path, window, str(cwd), branch).asks(turns, f"{word} {len(made)}")
        talk.write()
        return talk

    return write


def features(workspace):
    """The prompts of every feature, in order."""
    return {name: [user for _, user, *_ in workspace.turns(name)] for name in workspace.archive.features()}


def totals(answer):
    names = ("read", "new", "unchanged", "empty", "failed", "turns")
    found = answer.json["totals"]
    assert found["read"] == found["new"] + found["unchanged"] + found["empty"] + found["failed"]
    return tuple(found[name] for name in names)


def codex(path, cwd, prompts=("go",)):
    """Write a Codex conversation."""
    stem = path.stem.removesuffix(".jsonl")
    records = [{"type": "session_meta", "payload": {"id": stem[-36:], "cwd": str(cwd), "source": "cli"}}]
    for text in prompts:
        for role, kind, words in (
            ("user", "input_text", text),
            ("assistant", "output_text", f"{text}: done"),
        ):
            content = [{"type": kind, "text": words}]
            records.append(
                {"type": "response_item", "payload": {"type": "message", "role": role, "content": content}}
            )
    lines = [json.dumps({"timestamp": "2026-03-02T09:00:00.000Z", **record}) for record in records]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


class TestWhereThingsGo:
    def test_each_conversation_goes_to_the_workspace_where_it_took_place(
        self, awf, chat, workspace, workspace_class, tmp_path
    ):
        other = workspace_class(tmp_path / "other")
        (other.root / "deep/down").mkdir(parents=True)
        chat(workspace.root)
        chat(other.root / "deep/down")

        answer = awf("import")

        assert (answer.code, answer.err) == (0, "")
        assert features(workspace) == {"general": ["question 1 1", "question 1 4"]}
        assert features(other) == {"general": ["question 2 1", "question 2 4"]}

    def test_a_folder_where_nobody_works_as_in_a_workspace_is_not_written_to(
        self, awf, chat, workspace, tmp_path, snapshot
    ):
        plain = tmp_path / "downloads"
        plain.mkdir()
        (plain / "a.txt").write_text("x", encoding="utf-8")
        before = snapshot(plain)
        chat(plain, 1)

        awf("import")

        assert snapshot(plain) == before
        assert features(workspace) == {"downloads": ["question 1 1"]}

    def test_folders_gone_from_this_machine_become_features_that_no_two_share(self, awf, chat, workspace):
        for folder in (
            "/gone/外主/app",
            "/gone/个人/app",
            "/gone/spec-rl",
            "/gone/spec/rl",
            "/gone/个人/App",
        ):
            chat(folder, 1)
        chat("/gone/个人/app", 1)

        awf("import")

        assert features(workspace) == {
            "app": ["question 1 1"],
            "个人-app": ["question 2 1", "question 6 1"],
            "spec-rl": ["question 3 1"],
            "gone-spec-rl": ["question 4 1"],
            "gone-个人-App": ["question 5 1"],
        }

    def test_a_feature_that_somebody_made_is_not_taken_for_a_gone_folder(self, awf, chat, workspace):
        workspace.layout.spec("shop").mkdir(parents=True)
        chat("/gone/shop", 1)

        awf("import")

        assert features(workspace) == {"gone-shop": ["question 1 1"]}

    def test_spec_1_1s_rules_choose_the_feature_in_a_workspace(self, awf, chat, workspace):
        for name in ("block-user", "pay"):
            workspace.layout.spec(name).mkdir(parents=True)
        chat(workspace.root, 1, branch="feature/pay")
        named = chat(workspace.root, 1)
        named.ask("保存 block-user", "✅ **保存完成！**\n\n| 项目 | 值 |\n|---|---|\n| 功能 | block-user |")
        named.write()

        awf("import")

        assert features(workspace) == {"pay": ["question 1 1"], "block-user": ["question 2 1"]}

    def test_rules_of_the_settings_refine_it_and_never_move_what_was_saved(self, awf, chat, workspace):
        first = chat("/gone/shop-web", 1)
        awf("import")
        (workspace.root / "awf-archive.toml").write_text(
            '[import_features]\n"*/shop-*" = "shop"\n', encoding="utf-8"
        )
        first.asks(1, "later").write()
        chat("/gone/shop-app", 1)

        awf("import")

        assert features(workspace) == {"shop-web": ["question 1 1", "later 4"], "shop": ["question 2 1"]}

    def test_into_puts_everything_into_one_workspace(self, awf, chat, workspace, workspace_class, tmp_path):
        other, target = workspace_class(tmp_path / "other"), workspace_class(tmp_path / "target")
        chat(other.root, 1)
        chat("/gone/shop", 1)
        chat(target.root, 1)

        awf("import", "--into", target.root)

        assert features(target) == {
            "other": ["question 1 1"],
            "shop": ["question 2 1"],
            "general": ["question 3 1"],
        }
        assert features(other) == features(workspace) == {}

    def test_feature_puts_everything_under_one_feature_but_what_was_saved_before(self, awf, chat, workspace):
        chat(workspace.root, 1)
        awf("import")
        chat("/gone/shop", 1)

        awf("import", "--feature", "nhập")

        assert features(workspace) == {"general": ["question 1 1"], "nhập": ["question 2 1"]}

    def test_exports_go_to_a_feature_of_their_services_name(self, awf, workspace, shared):
        for name in ("chatgpt-export/05-sample.json", "claude-ai-export/02-debugging.json"):
            assert awf("import", shared / "corpus" / name).code == 0

        assert sorted(workspace.archive.features()) == ["chatgpt", "claude-ai"]

    def test_a_project_that_was_moved_after_it_was_saved_stays_one_conversation(
        self, awf, chat, workspace, workspace_class, tmp_path
    ):
        moved = workspace_class(tmp_path / "new place", "login")
        chat(moved.root, 1)
        old = chat("/gone/old-place", 2)
        moved.save(old, feature="login")
        old.asks(1, "later").write()

        awf("import")

        assert features(workspace) == {}
        assert features(moved)["login"] == ["question 2 1", "question 2 4", "later 7"]

    def test_gemini_clis_hash_is_led_back_to_the_folder(self, awf, workspace, home, shared, monkeypatch):
        from hashlib import sha256

        monkeypatch.delenv("GEMINI_CLI_HOME", raising=False)
        name = sha256(str(workspace.root).encode()).hexdigest()
        chats = home / ".gemini/tmp" / name / "chats"
        chats.mkdir(parents=True)
        shutil.copy(shared / "corpus/gemini-cli/11-fixture-standard_session.json", chats / "session-1.json")

        awf("import")

        assert list(features(workspace)) == ["general"]

    def test_the_archive_itself_is_not_imported_into_itself(self, awf, chat, workspace):
        chat(workspace.root, 1)
        awf("import")

        answer = awf("import", workspace.root)

        assert answer.code == 1
        assert features(workspace) == {"general": ["question 1 1"]}


class TestWhatIsTold:
    def test_the_numbers_of_the_table_add_up_and_every_failure_has_its_file_and_reason(
        self, awf, chat, workspace, home
    ):
        chat(workspace.root, 2)
        (home / "claude/projects/-1/empty.jsonl").write_bytes(b"")
        broken = home / "claude/projects/-1/broken.jsonl"
        broken.write_bytes(b'{"type": "user", "uuid": \n' * 3)

        answer = awf("import")

        assert answer.code == 3
        assert "| 3 | 1 | 0 | 1 | 1 | 2 |" in answer.out
        assert f"✗ {broken}: nothing in it can be read as Claude Code's records." in answer.out
        assert f"1 → general in {workspace.root}" in answer.out

    def test_a_program_gets_one_object(self, awf, chat, workspace):
        talk = chat(workspace.root, 2)

        answer = awf("import", "--json")

        (one,) = answer.json["results"]
        assert totals(answer) == (1, 1, 0, 0, 0, 2)
        assert (one["path"], one["workspace"], one["feature"]) == (
            str(talk.path),
            str(workspace.root),
            "general",
        )
        assert (one["savedTurns"], one["globalRange"], answer.json["failures"]) == (2, [1, 2], [])

    @pytest.mark.parametrize("language", ["en", "vi", "zh"])
    def test_it_speaks_three_languages(self, awf, chat, workspace, language):
        chat(workspace.root, 1)

        words = IMPORT_WORDS[language]

        assert words.dry_run in awf("import", "--dry-run", "--lang", language).out
        assert f"| {' | '.join(words.columns)} |" in awf("import", "--lang", language).out

    def test_lines_tell_how_far_it_is_where_no_terminal_is(self, capsys):
        clock = iter([0.0, 4.0, 11.0, 12.0, 13.0])
        teller = import_view.Teller(10, IMPORT_WORDS["en"], clock=lambda: next(clock), is_terminal=False)

        for number in range(4):
            teller.tell(Imported(path=Path(f"{number}"), outcome=Outcome.UNCHANGED))
        teller.end()

        assert capsys.readouterr().err == "2/10 · 0/s · 44 s left\n"

    def test_a_terminal_gets_one_moving_line_that_is_wiped_away(self, capsys):
        clock = iter([0.0, 0.5, 1.0])
        teller = import_view.Teller(4, IMPORT_WORDS["en"], clock=lambda: next(clock), is_terminal=True)

        for number in range(2):
            teller.tell(Imported(path=Path(f"{number}"), outcome=Outcome.NEW))
        teller.end()

        told = capsys.readouterr().err
        assert "\r2/4 · 2/s · 1 s left" in told
        assert told.endswith(f"\r{'':<60}\r")
        assert "\n" not in told

    def test_since_leaves_older_conversations_out_and_says_so(self, awf, chat, workspace):
        chat(workspace.root, 1)  # of 2 March 2026

        late = awf("import", "--since", "2026-03-03")
        early = awf("import", "--since", "2026-03-02")

        assert (late.code, "Left out: 1 file that is no conversation or is older" in late.out) == (1, True)
        assert (early.code, features(workspace)) == (0, {"general": ["question 1 1"]})

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            pytest.param(("--since", "soon"), "not a day", id="a day that is none"),
            pytest.param(("--feature", "../x"), "path separator", id="an unsafe feature"),
            pytest.param(("--format", "word"), "no such format", id="an unknown format"),
            pytest.param(("--into", "/nowhere"), "not a folder", id="into nowhere"),
            pytest.param(("--root", "/nowhere"), "no such file or folder", id="a root that is not there"),
            pytest.param(("/nowhere",), "no such file or folder", id="a path that is not there"),
        ],
    )
    def test_wrong_words_are_told_before_anything_is_read(self, awf, chat, workspace, snapshot, words, said):  # noqa: PLR0917
        chat(workspace.root, 1)
        before = snapshot(workspace.root)

        answer = awf("import", *words)

        assert (answer.code, answer.out) == (2, "")
        assert said in answer.err
        assert snapshot(workspace.root) == before

    def test_a_wrong_feature_in_the_rules_is_told_before_anything_is_read(self, awf, chat, workspace):
        chat(workspace.root, 1)
        (workspace.root / "awf-archive.toml").write_text('[import_features]\n"*" = "a/b"\n', encoding="utf-8")

        assert awf("import").code == 2
        assert features(workspace) == {}


class TestNothingToImport:
    """Case L01."""

    def test_an_empty_machine_says_where_it_looked_and_what_to_do(self, awf, workspace, home, snapshot):
        before = snapshot(workspace.root)

        answer = awf("import")

        assert answer.code == 1
        assert str(home / "claude") in answer.out
        assert "awf-archive import PATH" in answer.out
        assert set(snapshot(workspace.root)) - set(before) <= {".awf-archive/imports.json"}

    @pytest.mark.shared
    @pytest.mark.parametrize("folder", ["empty", "notjson", "mixed"])
    def test_folders_without_a_conversation_are_no_success(self, awf, shared, workspace, folder):
        answer = awf("import", shared / "cases/L01-empty-and-noise" / folder)
        as_json = awf("import", shared / "cases/L01-empty-and-noise" / folder, "--json")

        assert answer.code == as_json.code == 1
        assert "No conversation was found" in answer.out
        assert as_json.json["totals"]["read"] == 0
        assert as_json.json["totals"]["ignored"] == (folder == "notjson")
        assert features(workspace) == {}

    def test_a_named_file_that_nothing_recognises_is_a_failure(self, awf, tmp_path):
        (tmp_path / "notes.jsonl").write_text('{"role": "user"}\n', encoding="utf-8")

        answer = awf("import", tmp_path / "notes.jsonl")

        assert answer.code == 3
        assert "not recognised: JSON with the keys role" in answer.out


class TestTwice:
    def test_the_second_run_saves_nothing_and_opens_no_transcript(
        self, awf, chat, workspace, snapshot, monkeypatch
    ):
        for _ in range(3):
            chat(workspace.root, 2)
        awf("import")
        before = snapshot(workspace.layout.archive)
        opened = []
        monkeypatch.setattr(
            "awf_archive.services.import_history.opened", lambda path: opened.append(path) or 1 / 0
        )

        answer = awf("import", "--json")

        assert (totals(answer), opened) == ((3, 0, 3, 0, 0, 0), [])
        assert snapshot(workspace.layout.archive) == before

    def test_only_what_grew_is_read_again(self, awf, chat, workspace, monkeypatch):
        talks = [chat(workspace.root, 2) for _ in range(3)]
        awf("import")
        talks[1].asks(1, "later").write()
        reads = set()
        real = FileSource.read
        monkeypatch.setattr(
            FileSource, "read", lambda self, *given: reads.add(self.path) or real(self, *given)
        )

        answer = awf("import", "--json")

        assert totals(answer) == (3, 1, 2, 0, 0, 1)
        assert reads == {talks[1].path}

    def test_without_its_state_everything_is_read_again_and_nothing_is_saved_twice(
        self, awf, chat, workspace
    ):
        chat("/gone/a/app", 2)
        chat("/gone/b/app", 2)
        awf("import")
        before = features(workspace)
        (workspace.root / ".awf-archive/imports.json").unlink()

        answer = awf("import", "--json")

        assert totals(answer) == (2, 0, 2, 0, 0, 0)
        assert features(workspace) == before

    def test_what_was_deleted_from_the_archive_comes_back(self, awf, chat, workspace):
        chat(workspace.root, 2)
        awf("import")
        shutil.rmtree(workspace.layout.spec("general"))

        assert totals(awf("import", "--json")) == (1, 1, 0, 0, 0, 2)

    def test_a_failed_file_is_tried_again(self, awf, chat, workspace):
        talk = chat(workspace.root, 1)
        whole = talk.path.read_bytes()
        talk.path.write_bytes(b'{"type": "user", "uuid": \n' * 3)
        awf("import")
        talk.path.write_bytes(whole)

        assert totals(awf("import", "--json")) == (1, 1, 0, 0, 0, 1)

    def test_a_plan_writes_nothing_at_all(self, awf, chat, workspace, tmp_path, snapshot):
        chat(workspace.root, 2)
        chat("/gone/shop", 1)
        before = snapshot(tmp_path)

        answer = awf("import", "--dry-run", "--json")

        assert totals(answer) == (2, 2, 0, 0, 0, 3)
        assert snapshot(tmp_path) == before
        assert not (tmp_path / "home/.local").exists()


class TestFilesOfOthers:
    @pytest.mark.shared
    def test_b10_sub_agents_belong_to_their_parent(self, awf, shared, workspace):
        answer = awf("import", shared / "cases/B10-subagents/projects", "--json")

        assert totals(answer) == (1, 1, 0, 0, 0, 1)
        assert list(features(workspace)) == ["demo"]
        for word in ("SUBAGENT-ONLY-TEXT", "WORKFLOW-ONLY-TEXT"):
            hits = awf("search", word, "--json").json["hits"]
            assert hits, word
            assert {hit["feature"] for hit in hits} == {"demo"}

    def test_codexs_sub_agents_belong_to_the_conversation_that_started_them(self, awf, workspace, tmp_path):
        folder = tmp_path / "codex/sessions/2026/05/01"
        parent, agent, lonely = (f"019dd8e4-0000-7143-95e8-00000000000{n}" for n in (1, 2, 3))
        codex(folder / f"rollout-2026-05-01T10-00-00-{parent}.jsonl", workspace.root)
        for thread, of in ((agent, parent), (lonely, "019dd8e4-0000-7143-95e8-0000000000ff")):
            path = codex(folder / f"rollout-2026-05-01T10-01-00-{thread}.jsonl", workspace.root, ("look",))
            spawned = json.dumps({"subagent": {"thread_spawn": {"parent_thread_id": of, "depth": 1}}})
            path.write_text(path.read_text().replace('"source": "cli"', f'"source": {spawned}'))

        answer = awf("import", "--root", tmp_path / "codex", "--json")

        assert {one["window"] for one in answer.json["results"]} == {parent, lonely}

    def test_geminis_sub_agents_belong_to_the_conversation_that_started_them(self, awf, tmp_path):
        parent = "11112222-aaaa-4aaa-8aaa-000000000001"
        chats = tmp_path / "gemini/tmp/x/chats"
        head = {"projectHash": "x", "startTime": "2026-05-01T10:00:00Z"}
        said = {"id": "m1", "timestamp": "2026-05-01T10:00:01Z", "type": "user", "content": "look"}
        for path, facts in (
            (chats / f"session-2026-05-01-{parent[:8]}.jsonl", {"sessionId": parent}),
            (chats / parent / "agent.jsonl", {"sessionId": "agent", "kind": "subagent"}),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(map(json.dumps, ({**head, **facts}, said))) + "\n", encoding="utf-8")

        answer = awf("import", tmp_path / "gemini", "--json")

        assert [one["window"] for one in answer.json["results"]] == [parent]


@pytest.mark.shared
class TestReportedFailures:
    def test_b16_folders_whose_names_collide_stay_apart(self, awf, shared, workspace):
        awf("import", shared / "cases/B16-project-path-collisions/projects")

        names = list(features(workspace))
        assert len({name.casefold() for name in names}) == 4, "also where case does not count"
        assert set(names) == {"app", "个人-app", "spec-rl", "dev-spec-rl"}

    def test_c05_codex_sessions_are_found_wherever_they_lie(self, awf, shared, workspace):
        answer = awf("import", "--root", shared / "cases/C05-codex-places-and-headers/codex")

        assert answer.code == 3
        assert "| 4 | 3 | 0 | 0 | 1 | 3 |" in answer.out
        assert "rollout-2026-04-01T10-00-00-019dd8e4-0000-7143-95e8-0000000000f4.jsonl.zst" in answer.out
        assert len(workspace.archive.features()) >= 1

    def test_c05_a_session_that_was_archived_is_no_new_one(self, awf, shared, tmp_path):
        root = tmp_path / "codex"
        shutil.copytree(shared / "cases/C05-codex-places-and-headers/codex", root)
        awf("import", "--root", root)
        (path,) = root.glob("sessions/2026/04/02/*.jsonl")
        path.rename(root / "archived_sessions" / path.name)

        answer = awf("import", "--root", root, "--json")

        assert (totals(answer)[1], answer.json["totals"]["turns"]) == (0, 0)
