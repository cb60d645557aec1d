"""Two people, one repository: real git, real branches, nothing lost, nothing doubled (issue 4, point 5)."""

import json

from clones import decide

from awf_archive.domain.merged_numbers import numbers_after_merge
from awf_archive.services.verify import verify

NOW = "2026-03-06T10:00:00Z"


def test_new_sessions_of_both_sides_follow_one_another(both, person):
    an, binh = both
    an.save(person("an", 2).asks(3, "an"))
    binh.save(person("binh", 3).asks(4, "binh"))

    done = an.pull(binh)

    assert an.texts()[5:] == [f"an {n}" for n in (1, 4, 7)] + [f"binh {n}" for n in (1, 4, 7, 10)]
    assert an.numbers() == list(range(1, 13))
    assert [(one.formerly, one.numbers) for one in done.features[0].taken] == [((6, 9), (9, 12))]
    assert an.is_sound()


def test_turns_keep_the_numbers_they_bore(both, person):
    an, binh = both
    an.save(person("an", 2).asks(3, "an"))
    binh.save(person("binh", 3).asks(2, "binh"))

    an.pull(binh)

    turns = an.workspace.metadata("session-003")["turns"]
    assert [(one["turn"], one["formerly"]) for one in turns] == [(9, [6]), (10, [7])]
    manifest = an.workspace.archive.require("login")
    assert [numbers_after_merge(manifest, number) for number in (5, 6, 7, 8)] == [[], [9], [10], []]


def test_a_second_merge_changes_nothing(both, person, snapshot):
    an, binh = both
    an.save(person("an", 2).asks(3, "an"))
    binh.save(person("binh", 3).asks(4, "binh"))
    an.pull(binh)
    before = snapshot(an.workspace.context)

    again = an.merge("from-binh")

    assert again.features == ()
    assert snapshot(an.workspace.context) == before


def test_without_a_merge_of_gits_the_files_take_in_the_branch(both, person):
    an, binh = both
    an.save(person("an", 2).asks(1, "an"))
    binh.save(person("binh", 3).asks(1, "binh"))

    done = an.merge(an.fetch(binh))
    an.commit("merged")

    assert not done.is_staged
    assert an.texts()[5:] == ["an 1", "binh 1"]
    assert an.is_sound()
    assert an.pull(binh) is None or an.is_sound()
    assert an.texts()[5:] == ["an 1", "binh 1"]


def test_the_same_window_continued_on_both_sides_is_not_doubled(both, person, tmp_path):
    an, binh = both
    shared = person("an", 1).asks(5, "common")
    theirs = person("an", 1).asks(5, "common")
    theirs.path = tmp_path / "transcripts/binh-copy.jsonl"
    shared.asks(2, "both")
    theirs.asks(2, "both").asks(1, "binh only")
    an.save(shared)
    binh.save(theirs)

    an.pull(binh)

    assert len(an.texts()) == 8
    assert an.texts()[5:7] == binh.texts()[5:7]
    assert an.texts()[7].startswith("binh only")
    assert an.is_sound()


def test_the_window_goes_on_after_the_merge(both, person):
    an, binh = both
    talk = person("binh", 3).asks(2, "binh")
    an.save(person("an", 2).asks(1, "an"))
    binh.save(talk)
    an.pull(binh)
    binh.pull(an)

    talk.asks(1, "later")
    done = binh.save(talk)

    assert (done.saved, done.numbers) == (1, (9, 9))
    assert done.continues == "session-003"
    assert binh.is_sound()


def test_a_summary_of_one_side_is_kept_and_one_that_is_due_is_made(both, person):
    an, binh = both
    an.save(person("an", 2).asks(6, "an"))
    binh.save(person("binh", 3).asks(16, "binh"))
    (made,) = binh.workspace.manifest()["semanticChunks"]
    assert made["turnRange"] == [1, 5]

    an.pull(binh)

    chunks = an.workspace.manifest()["semanticChunks"]
    assert chunks[0]["turnRange"] == [1, 5]
    file = f"conversations/{chunks[0]['file']}"
    assert (an.workspace.context / file).read_bytes() == (
        binh.workspace.context / f"conversations/{made['file']}"
    ).read_bytes()
    assert [one["turnRange"] for one in chunks] == [[1, 5], [6, 11]]
    assert an.is_sound()


def test_a_summary_whose_turns_have_other_numbers_here_is_kept_beside(both, person):
    an, binh = both
    an.save(person("an", 2).asks(3, "an"))
    binh.save(person("binh", 3).asks(8, "binh"))
    binh.save(person("binh", 4).asks(9, "binh more"))
    (made,) = binh.workspace.manifest()["semanticChunks"]
    assert made["turnRange"] == [1, 13]

    an.pull(binh)

    kept = list((an.workspace.context / "conversations/merged").iterdir())
    assert [one.read_bytes() for one in kept] == [
        (binh.workspace.context / f"conversations/{made['file']}").read_bytes()
    ]
    assert an.is_sound()


def test_decisions_of_both_sides_get_ids_of_their_own(both, person):
    an, binh = both
    an.save(decide(person("an", 2), "Which store?", "SQLite"))
    binh.save(decide(person("binh", 3), "Which queue?", "Redis"))

    an.pull(binh)

    decisions = an.workspace.archive.decisions("login")
    assert [(one.id, one.turn, one.session) for one in decisions] == [
        ("D-001", 6, "session-002"),
        ("D-002", 7, "session-003"),
    ]
    assert "Redis" in decisions[1].text
    assert an.is_sound()


def test_keys_that_others_wrote_are_kept_from_both_sides(both, person):
    an, binh = both
    an.save(person("an", 2).asks(1, "an"))
    binh.save(person("binh", 3).asks(1, "binh"))
    for side, key in ((an, "mine"), (binh, "yours")):
        path = side.workspace.context / "manifest.json"
        manifest = json.loads(path.read_bytes()) | {key: {"x": 1}, "shared": key}
        manifest["turnWatermark"][f"{key}Mark"] = 7
        path.write_text(json.dumps(manifest), encoding="utf-8")
        side.commit("others' keys")

    an.pull(binh)

    manifest = an.workspace.manifest()
    assert manifest["mine"] == manifest["yours"] == {"x": 1}
    assert manifest["shared"] == "mine"
    assert manifest["turnWatermark"]["yoursMark"] == 7
    assert an.is_sound()


def test_three_clones_come_to_the_same_turns_in_any_order(both, team, person):
    an, binh = both
    chi = team("chi", an)
    an.save(person("an", 2).asks(2, "an"))
    binh.save(person("binh", 3).asks(3, "binh"))
    chi.save(person("chi", 4).asks(4, "chi"))

    binh.pull(chi)
    an.pull(binh)
    chi.pull(an)
    an.pull(chi)

    assert sorted(an.texts()) == sorted(chi.texts())
    assert len(an.texts()) == len(set(an.texts())) == 14
    assert an.numbers() == list(range(1, 15))
    formerly = [one.get("formerly", []) for one in an.workspace.metadata("session-004")["turns"]]
    assert formerly == [[6, 9], [7, 10], [8, 11], [9, 12]]
    assert an.is_sound()
    assert chi.is_sound()


def test_two_sides_that_merge_each_other_at_once_settle(both, person):
    an, binh = both
    an.save(person("an", 2).asks(2, "an"))
    binh.save(person("binh", 3).asks(3, "binh"))
    reference = an.fetch(binh)
    binh.pull(an)

    an.git("merge", "-q", reference, ok=False)
    an.merge()
    an.git("commit", "-q", "--no-edit")
    an.pull(binh)

    assert sorted(an.texts()) == sorted(binh.texts())
    assert an.is_sound()


def test_a_turn_that_went_on_on_one_side_is_taken_with_its_earlier_text(team, person):
    an = team("an")
    talk = person("an", 1).asks(2, "common")
    an.save(talk)
    binh = team("binh", an)
    an.save(person("an", 2).asks(1, "an"))
    talk.reply("a late answer")
    binh.save(talk)
    binh.save(person("binh", 3).asks(1, "binh"))

    done = an.pull(binh)

    assert done.features[0].grown == 1
    assert "a late answer" in an.workspace.turns()[1][2]
    entry = an.workspace.metadata("session-001")["turns"][1]
    assert len(entry["revisions"]) == 1
    assert an.is_sound()
    assert an.merge("from-binh").features == ()


def test_a_turn_that_went_on_apart_on_both_sides_keeps_both_texts(team, person, tmp_path):
    an = team("an")
    talk, other = person("an", 1).asks(2, "common"), person("an", 1).asks(2, "common")
    other.path = tmp_path / "transcripts/other.jsonl"
    an.save(talk)
    binh = team("binh", an)
    talk.reply("what An saw")
    other.reply("what Binh saw")
    an.save(talk)
    binh.save(other)

    an.pull(binh)

    session, entry = an.workspace.archive.find("login", 2)
    versions = [one.assistant for one in an.workspace.archive.versions("login", session.session_id, entry)]
    assert any("what An saw" in one for one in versions)
    assert any("what Binh saw" in one for one in versions)
    assert an.is_sound()
    assert an.merge("from-binh").features == ()


def test_a_feature_that_one_side_alone_has_comes_over(both, person):
    an, binh = both
    an.save(person("an", 2).asks(1, "an"))
    binh.save(person("binh", 3).asks(2, "pay"), feature="payment")
    binh.save(person("binh", 4).asks(1, "binh"))

    an.pull(binh)

    assert [user for _, user, _, _ in an.workspace.turns("payment")] == ["pay 1", "pay 4"]
    assert an.is_sound()


def test_attachments_come_along(both, person):
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    an, binh = both
    an.save(person("an", 2).asks(1, "an"))
    talk = person("binh", 3)
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png}}
    talk.user([{"type": "text", "text": "look"}, image])
    talk.reply("I see.")
    binh.save(talk)

    an.pull(binh)

    assert len(list(an.workspace.context.glob("conversations/sessions/session-003/attachments/*"))) == 1
    assert an.is_sound()


def test_what_was_saved_while_git_waited_is_not_thrown_away(both, person):
    an, binh = both
    an.save(person("an", 2).asks(1, "an"))
    binh.save(person("binh", 3).asks(1, "binh"))
    an.git("merge", "-q", an.fetch(binh), ok=False)
    late = person("an", 4).asks(1, "late")
    manifest = an.workspace.context / "manifest.json"
    an.git("checkout", "--ours", str(manifest))
    an.workspace.save(late)

    done = an.merge()
    again = an.workspace.save(late)

    assert done.set_aside or again.saved == 0
    assert sorted(an.texts()[5:]) == ["an 1", "binh 1", "late 1"]


def test_other_conflicts_are_left_to_the_person(both, person):
    an, binh = both
    for side, number in ((an, 2), (binh, 3)):
        (side.root / "code.txt").write_text(f"{side.name}\n")
        side.save(person(side.name, number).asks(1, side.name))
    an.git("merge", "-q", an.fetch(binh), ok=False)

    done = an.merge()

    assert done.left == ("code.txt",)
    assert an.texts()[5:] == ["an 1", "binh 1"]


def test_a_merge_that_stopped_anywhere_is_finished_by_the_next(both, person, monkeypatch):
    from awf_archive.store import atomic

    an, binh = both
    an.save(decide(person("an", 2), "Which store?", "SQLite").asks(6, "an"))
    binh.save(decide(person("binh", 3), "Which queue?", "Redis").asks(14, "binh"))
    an.git("merge", "-q", an.fetch(binh), ok=False)
    whole, move = atomic.write, atomic.move
    stopped = 0
    for step in range(40):
        left = iter(range(step))

        def stop(path, left=left):
            if path.is_relative_to(an.workspace.context) and next(left, None) is None:
                raise KeyboardInterrupt

        def write(path, data, stop=stop, **more):
            stop(path)
            whole(path, data, **more)

        def moved(source, target, stop=stop):
            stop(target)
            move(source, target)

        monkeypatch.setattr(atomic, "write", write)
        monkeypatch.setattr(atomic, "move", moved)
        try:
            an.merge()
        except KeyboardInterrupt:
            stopped += 1
            continue
        break
    an.git("commit", "-q", "--no-edit")

    assert stopped >= 4
    assert len(an.texts()) == len(set(an.texts())) == 27
    found = an.workspace.archive.decisions("login")
    assert [one.text for one in found if one.found_by == "question"] == ["H: SQLite", "H: Redis"]
    assert [one.id for one in found] == [f"D-{number:03d}" for number in range(1, len(found) + 1)]
    assert an.is_sound()


def test_verify_against_the_vault_is_clean_after_a_merge(both, person, tmp_path):
    from awf_archive.services.keep import existing_vault

    an, binh = both
    vaults = tmp_path / "vaults"
    mine, theirs = (person("an", 2).asks(2, "both") for _ in range(2))
    theirs.path = tmp_path / "transcripts/theirs.jsonl"
    theirs.asks(1, "binh only")
    an.save(mine, vaults=vaults)
    binh.save(theirs)

    an.pull(binh)

    vault = existing_vault(an.workspace.layout, vaults)
    report = verify(an.workspace.archive, vault, threshold=20, quick=False)
    assert report.findings == []
    assert report.proven.from_vault == 2


def skill_session(clone, number, first, texts):
    """Save as the original skill does: no ids, no digests, no front matter."""
    folder = clone.workspace.context / f"conversations/sessions/session-{number:03d}"
    folder.mkdir(parents=True)
    for at, text in enumerate(texts, 1):
        (folder / f"turn-{at:03d}.md").write_text(
            f"## 用户\n\n{text}\n\n## 助手\n\n好的。\n", encoding="utf-8"
        )
    span = [first, first + len(texts) - 1]
    metadata = {
        "sessionId": folder.name,
        "createdAt": NOW,
        "globalRange": span,
        "turnCount": len(texts),
        "phase": "design",
        "summary": {"topics": [], "decisions": [], "files": []},
    }
    (folder / "metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
    path = clone.workspace.context / "manifest.json"
    manifest = json.loads(path.read_bytes()) if path.exists() else {"specId": "login", "recentSessions": []}
    manifest["recentSessions"].append({"sessionId": folder.name, "globalRange": span, "status": "saved"})
    manifest |= {"lastUpdated": NOW, "semanticChunks": []}
    manifest["turnWatermark"] = {"lastChunkedTurn": 0, "lastSessionEndTurn": span[1]}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    clone.commit("skill")


def test_sessions_of_the_original_skill_are_merged_too(team):
    an = team("an")
    skill_session(an, 1, 1, ["共同一", "共同二"])
    binh = team("binh", an)
    skill_session(an, 2, 3, ["安"])
    skill_session(binh, 2, 3, ["平一", "平二"])

    an.pull(binh)

    assert an.texts() == ["共同一", "共同二", "安", "平一", "平二"]
    assert an.is_sound()
    assert an.merge("from-binh").features == ()
    assert an.texts() == ["共同一", "共同二", "安", "平一", "平二"]
