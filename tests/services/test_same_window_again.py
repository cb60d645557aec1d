"""A window that is saved again: what is new, what grew, copies under new ids, rewinds (SPEC 1.4)."""

import pytest

FORK = "0000bbbb-1111-4111-8111-00000000000b"
FORK_OF_FORK = "0000cccc-1111-4111-8111-00000000000c"


def _texts(workspace):
    return [(user, assistant) for _, user, assistant, _ in workspace.turns()]


def _unchanged(workspace, snapshot, *talks, **options):
    """Whether saving each again changes nothing at all."""
    before = snapshot(workspace.root)
    results = [workspace.save(one, **options) for one in talks]
    return [(one.saved, one.updated) for one in results] == [(0, 0)] * len(talks) and snapshot(
        workspace.root
    ) == before


class TestSessions:
    def test_an_autosave_extends_the_windows_session_while_it_is_the_last(self, workspace, talk):
        workspace.save(talk.asks(3))

        done = workspace.save(talk.asks(2), extend=True)

        assert (done.session, done.numbers) == ("session-001", (4, 5))
        assert workspace.metadata("session-001")["globalRange"] == [1, 5]
        assert workspace.metadata("session-001")["turnCount"] == 5
        assert [one["sessionId"] for one in workspace.manifest()["recentSessions"]] == ["session-001"]

    def test_an_autosave_opens_a_new_session_when_the_last_one_is_full(self, workspace, talk):
        workspace.save(talk.asks(20))

        done = workspace.save(talk.asks(1), extend=True)

        assert (done.session, done.continues, done.chunk.turn_range) == (
            "session-002",
            "session-001",
            (1, 20),
        )

    def test_an_autosave_opens_a_new_session_when_another_window_was_saved_since(
        self, workspace, talk, talk_class, tmp_path
    ):
        other = talk_class(tmp_path / "other.jsonl", FORK).asks(1, "other")
        workspace.save(talk.asks(2))
        workspace.save(other)

        done = workspace.save(talk.asks(1), extend=True)

        assert (done.session, done.continues) == ("session-003", "session-001")

    def test_a_checkpoint_that_a_person_asks_for_opens_a_new_session(self, workspace, talk):
        workspace.save(talk.asks(2), extend=True)

        assert workspace.save(talk.asks(1)).session == "session-002"

    def test_extending_a_session_never_chunks_any_of_it(self, workspace, talk, talk_class, tmp_path):
        workspace.save(talk_class(tmp_path / "other.jsonl", FORK).asks(5, "other"))
        workspace.save(talk.asks(14), extend=True)

        done = workspace.save(talk.asks(1), extend=True)

        assert (done.numbers, done.chunk.turn_range) == ((20, 20), (1, 5))

    def test_a_problem_found_in_an_earlier_turn_stays_in_the_session_that_goes_on(self, workspace, talk):
        talk.user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "!!"}}])
        talk.reply("I see nothing.")
        workspace.save(talk)
        codes = [one["code"] for one in workspace.metadata("session-001")["problems"]]

        workspace.save(talk.asks(1), extend=True)

        assert codes == ["bad-base64"]
        assert [one["code"] for one in workspace.metadata("session-001")["problems"]] == codes

    def test_a_half_written_line_leaves_no_mark_once_it_is_whole(self, workspace, talk):
        path = talk.asks(1).write()
        with path.open("a") as file:
            file.write('{"type": "user", "uu')
        workspace.save(path)
        assert len(workspace.metadata("session-001")["problems"]) == 1

        workspace.save(talk.asks(1), extend=True)

        assert workspace.metadata("session-001")["problems"] == []

    def test_tokens_of_a_session_are_the_sum_of_its_turns(self, workspace, talk):
        workspace.save(talk.asks(2))
        workspace.save(talk.asks(1), extend=True)

        assert workspace.metadata("session-001")["tokens"] == {
            "input": 30,
            "output": 60,
            "cacheRead": 0,
            "cacheWrite": 0,
        }


class TestKnownTurns:
    def test_equal_turns_are_different_turns(self, workspace, talk, snapshot):
        for _ in range(3):
            talk.ask("ok", "Done")

        assert workspace.save(talk).saved == 3
        assert _unchanged(workspace, snapshot, talk)

    def test_equal_turns_of_different_windows_are_different_turns(
        self, workspace, talk, talk_class, tmp_path
    ):
        other = talk_class(tmp_path / "other.jsonl", FORK, clock=500)
        talk.ask("ok", "Done")
        other.ask("ok", "Done")
        workspace.save(talk)

        assert workspace.save(other).saved == 1

    def test_a_fork_under_new_ids_adds_only_what_is_new_in_it(self, workspace, talk, tmp_path, snapshot):
        workspace.save(talk.asks(4))
        fork = talk.copy(tmp_path / "fork.jsonl", FORK).asks(2, "only in the fork")

        done = workspace.save(fork)

        assert (done.saved, done.numbers, done.continues) == (2, (5, 6), "session-001")
        assert _unchanged(workspace, snapshot, fork, talk, fork)

    def test_both_sides_of_a_fork_go_on(self, workspace, talk, tmp_path, snapshot):
        workspace.save(talk.asks(2))
        fork = talk.copy(tmp_path / "fork.jsonl", FORK).asks(1, "fork")
        workspace.save(fork)

        assert workspace.save(talk.asks(1, "original")).saved == 1
        assert workspace.save(fork.asks(1, "fork again")).saved == 1
        assert len(set(_texts(workspace))) == len(_texts(workspace)) == 5
        assert _unchanged(workspace, snapshot, fork, talk)

    def test_a_fork_from_the_middle_shares_the_beginning(self, workspace, talk, tmp_path, snapshot):
        half = talk.asks(2).copy(tmp_path / "fork.jsonl", FORK)
        workspace.save(talk.asks(3, "original"))

        done = workspace.save(half.asks(1, "fork"))

        assert done.saved == 1
        assert _unchanged(workspace, snapshot, half, talk)

    def test_a_fork_of_a_fork_adds_only_what_is_new_in_it(self, workspace, talk, tmp_path, snapshot):
        workspace.save(talk.asks(2))
        fork = talk.copy(tmp_path / "fork.jsonl", FORK).asks(2, "fork")
        workspace.save(fork)
        second = fork.copy(tmp_path / "second.jsonl", FORK_OF_FORK).asks(1, "second")

        done = workspace.save(second)

        assert (done.saved, done.continues) == (1, "session-002")
        assert _unchanged(workspace, snapshot, second, fork, talk)

    def test_a_fork_is_known_though_a_save_command_stands_in_it(self, workspace, talk, tmp_path, snapshot):
        talk.ask("resume login", "# 恢复: login\n\n## 📊 状态概览\n| 功能 | login |")
        talk.asks(2)
        talk.ask("保存", "执行保存...")
        talk.asks(2)
        workspace.save(talk)
        fork = talk.copy(tmp_path / "fork.jsonl", FORK).asks(1, "fork")

        done = workspace.save(fork)

        assert (done.saved, len(done.skipped)) == (1, 2)
        assert _unchanged(workspace, snapshot, talk)
        assert workspace.save(fork).saved == 0

    def test_a_fork_whose_last_common_turn_went_on_loses_nothing(self, workspace, talk, tmp_path):
        talk.ask("question", "first part")
        workspace.save(talk)
        fork = talk.copy(tmp_path / "fork.jsonl", FORK)
        fork.reply("second part")

        assert workspace.save(fork).saved == 1
        assert [assistant for _, assistant in _texts(workspace)] == [
            "first part",
            "first part\n\nsecond part",
        ]

    def test_a_fork_stays_known_when_the_original_goes_on_in_the_common_turn(
        self, workspace, talk, tmp_path, snapshot
    ):
        talk.ask("question", "first part")
        workspace.save(talk)
        fork = talk.copy(tmp_path / "fork.jsonl", FORK).asks(1, "fork")
        workspace.save(fork)
        talk.reply("second part")
        workspace.save(talk)

        assert _unchanged(workspace, snapshot, fork, talk)

    def test_a_fork_saved_first_leaves_the_original_nothing_but_its_own(self, workspace, talk, tmp_path):
        talk.asks(3)
        fork = talk.copy(tmp_path / "fork.jsonl", FORK).asks(1, "fork")
        workspace.save(fork)

        assert workspace.save(talk.asks(1, "original")).saved == 1
        assert workspace.save(talk).saved == 0


class TestGrowth:
    def test_a_turn_that_grew_is_replaced_and_its_earlier_text_kept(self, workspace, talk, snapshot):
        talk.ask("question", "first part")
        workspace.save(talk)
        folder = workspace.context / "conversations/sessions/session-001"
        earlier = (folder / "turn-001.md").read_bytes()
        talk.reply("second part")

        done = workspace.save(talk)

        assert (done.saved, done.updated, done.session) == (0, 1, None)
        assert workspace.turns() == [(1, "question", "first part\n\nsecond part", "main")]
        assert (folder / "revisions/turn-001.1.md").read_bytes() == earlier
        assert workspace.metadata("session-001")["turns"][0]["revisions"][0]["file"] == (
            "revisions/turn-001.1.md"
        )
        assert _unchanged(workspace, snapshot, talk)

    def test_every_earlier_text_is_kept(self, workspace, talk):
        talk.ask("question", "a")
        for more in ("b", "c", "d"):
            workspace.save(talk)
            talk.reply(more)
        workspace.save(talk)

        folder = workspace.context / "conversations/sessions/session-001/revisions"
        assert sorted(path.name for path in folder.iterdir()) == [
            f"turn-001.{number}.md" for number in (1, 2, 3)
        ]
        assert [one["file"] for one in workspace.metadata("session-001")["turns"][0]["revisions"]] == [
            f"revisions/turn-001.{number}.md" for number in (1, 2, 3)
        ]

    def test_a_late_tool_result_grows_its_turn(self, workspace, talk):
        talk.user("run it")
        call = {"type": "tool_use", "id": "toolu_late", "name": "Bash", "input": {"command": "make"}}
        talk.reply(call)
        workspace.save(talk)
        talk.user([{"type": "tool_result", "tool_use_id": "toolu_late", "content": "built"}])

        done = workspace.save(talk)

        assert (done.saved, done.updated) == (0, 1)
        assert "built" in workspace.turns()[0][2]

    def test_growth_and_new_turns_are_saved_together(self, workspace, talk):
        talk.ask("question", "first part")
        workspace.save(talk)
        talk.reply("second part")
        talk.asks(2)

        done = workspace.save(talk)

        assert (done.saved, done.updated, done.numbers) == (2, 1, (2, 3))

    @pytest.mark.parametrize("extend", [True, False], ids=["autosave", "by hand"])
    def test_growth_in_an_older_session_is_found_too(self, workspace, talk, extend, snapshot):
        workspace.save(talk.asks(1))
        grown = talk.ask("question", "first part")
        workspace.save(talk)
        workspace.save(talk.asks(1))
        late = talk.records[-1]
        talk.leaf = next(one["uuid"] for one in talk.records if one["parentUuid"] == grown)
        talk.reply("second part")
        talk.leaf = late["uuid"]
        talk.asks(1)

        done = workspace.save(talk, extend=extend)

        assert done.saved == 1
        assert len(_texts(workspace)) == 4
        assert _unchanged(workspace, snapshot, talk, extend=extend)

    def test_extension_and_growth_in_one_autosave_both_stay(self, workspace, talk, snapshot):
        talk.ask("question", "first part")
        workspace.save(talk, extend=True)
        talk.reply("second part")
        talk.asks(1)

        done = workspace.save(talk, extend=True)

        assert (done.session, done.saved, done.updated) == ("session-001", 1, 1)
        assert workspace.turns()[0][2] == "first part\n\nsecond part"
        assert len(workspace.metadata("session-001")["turns"][0]["revisions"]) == 1
        assert _unchanged(workspace, snapshot, talk, extend=True)

    def test_a_turn_that_became_shorter_keeps_its_saved_text(self, workspace, talk, snapshot):
        talk.ask("question", "first part", "second part")
        workspace.save(talk)
        before = snapshot(workspace.root)

        done = workspace.save(talk.write(records=2))

        assert [one.code for one in done.problems] == ["shrunk"]
        assert snapshot(workspace.root) == before

    def test_a_decision_that_comes_with_growth_is_recorded_once(self, workspace, talk):
        talk.user("plan it")
        call = {
            "type": "tool_use",
            "id": "toolu_plan",
            "name": "ExitPlanMode",
            "input": {"plan": "# Use SQLite"},
        }
        talk.reply(call)
        workspace.save(talk)
        assert workspace.archive.decisions("login") == ()
        answer = "User has approved your plan. You can now start coding."
        talk.user([{"type": "tool_result", "tool_use_id": "toolu_plan", "content": answer}])

        workspace.save(talk)
        talk.reply("Started.")
        workspace.save(talk)

        assert [(one.id, one.text, one.turn) for one in workspace.archive.decisions("login")] == [
            ("D-001", "Use SQLite", 1)
        ]


class TestRewinds:
    def test_turns_that_the_user_left_are_saved_and_marked(self, workspace, talk):
        talk.ask("question")
        left = talk.ask("with Redis", "fine, Redis")
        talk.rewind(left).ask("in memory", "fine, memory")

        workspace.save(talk)

        assert [(user, branch) for _, user, _, branch in workspace.turns()] == [
            ("question", "main"),
            ("with Redis", "abandoned"),
            ("in memory", "main"),
        ]

    def test_a_rewind_after_the_save_marks_what_was_saved(self, workspace, talk, snapshot):
        talk.ask("question")
        left = talk.ask("with Redis", "fine, Redis")
        workspace.save(talk)
        talk.rewind(left).ask("in memory", "fine, memory")

        done = workspace.save(talk)

        assert done.saved == 1
        assert [(number, branch) for number, _, _, branch in workspace.turns()] == [
            (1, "main"),
            (2, "abandoned"),
            (3, "main"),
        ]
        assert _unchanged(workspace, snapshot, talk)

    def test_a_decision_on_a_branch_that_was_left_is_only_proposed(self, workspace, talk):
        question = {"question": "Which store?", "header": "Store", "options": [{"label": "Redis"}]}
        talk.ask("start")
        left = talk.user("choose")
        talk.call(
            "AskUserQuestion",
            {"questions": [question]},
            'User has answered your questions: "Which store?"="Redis"',
        )
        talk.rewind(left).ask("no, in memory")

        workspace.save(talk)

        assert [(one.text, one.status.value) for one in workspace.archive.decisions("login")] == [
            ("Store: Redis", "proposed")
        ]

    def test_a_decision_becomes_a_proposal_when_its_branch_is_left_after_the_save(self, workspace, talk):
        question = {"question": "Which store?", "header": "Store", "options": [{"label": "Redis"}]}
        talk.ask("start")
        left = talk.user("choose")
        talk.call(
            "AskUserQuestion",
            {"questions": [question]},
            'User has answered your questions: "Which store?"="Redis"',
        )
        workspace.save(talk)
        talk.rewind(left).ask("no, in memory")

        workspace.save(talk)

        assert [(one.id, one.status.value) for one in workspace.archive.decisions("login")] == [
            ("D-001", "proposed")
        ]


class TestDecisions:
    def test_the_same_answer_in_two_windows_is_one_decision_said_twice(
        self, workspace, talk, talk_class, tmp_path
    ):
        question = {"question": "Which store?", "header": "Store", "options": [{"label": "Redis"}]}
        answer = 'User has answered your questions: "Which store?"="Redis"'
        other = talk_class(tmp_path / "other.jsonl", FORK, clock=100)
        for one in (talk, other):
            one.user("choose")
            one.call("AskUserQuestion", {"questions": [question]}, answer)
            workspace.save(one)

        assert [(one.id, one.turn, one.also) for one in workspace.archive.decisions("login")] == [
            ("D-001", 1, (2,))
        ]
