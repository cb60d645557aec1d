"""What is skipped is counted, listed with its reason, and looked at again when it grows (SPEC 1.2)."""


def test_a_skipped_turn_is_counted_and_listed_with_its_reason(workspace, talk):
    talk.ask("question")
    talk.ask("保存", "执行保存...")

    done = workspace.save(talk)

    assert (done.saved, [one.reason for one in done.skipped]) == (1, ["command"])
    assert [(one["text"], one["reason"]) for one in workspace.metadata("session-001")["skippedTurns"]] == [
        ("保存", "command")
    ]


def test_a_skipped_turn_leaves_no_gap_in_the_numbers(workspace, talk):
    talk.ask("one")
    talk.ask("保存", "执行保存...")
    talk.ask("two")
    workspace.save(talk)

    assert [(number, user) for number, user, *_ in workspace.turns()] == [(1, "one"), (2, "two")]


def test_a_skipped_turn_is_told_of_once(workspace, talk):
    talk.ask("question")
    talk.ask("保存", "执行保存...")
    workspace.save(talk)

    assert workspace.save(talk.asks(1)).skipped == ()


def test_a_skipped_turn_that_grows_is_saved_later(workspace, talk, snapshot):
    talk.ask("question")
    talk.ask("resume", "恢复中...")
    workspace.save(talk)
    talk.reply("I went on with the API and wrote three files.")

    done = workspace.save(talk)

    assert (done.saved, done.numbers) == (1, (2, 2))
    assert workspace.turns()[1][2] == "恢复中...\n\nI went on with the API and wrote three files."
    before = snapshot(workspace.root)
    assert workspace.save(talk).saved == 0
    assert snapshot(workspace.root) == before


def test_keep_all_skips_nothing(workspace, talk):
    talk.ask("question")
    talk.ask("保存", "执行保存...")

    done = workspace.save(talk, keep_all=True)

    assert (done.saved, done.skipped) == (2, ())


def test_keep_all_brings_in_what_was_skipped_before(workspace, talk, snapshot):
    talk.ask("question")
    talk.ask("保存", "执行保存...")
    workspace.save(talk)

    assert workspace.save(talk, keep_all=True).saved == 1
    before = snapshot(workspace.root)
    assert workspace.save(talk, keep_all=True).saved == 0
    assert workspace.save(talk).saved == 0
    assert snapshot(workspace.root) == before
