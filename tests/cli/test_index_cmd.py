"""`index`, and the index's life at the command line: real processes, damage, other people's changes (spec J03)."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time

import pytest


@pytest.fixture
def archive(workspace, talk):
    talk.ask("Dùng Redis không?", "Không, SQLite.")
    workspace.save(talk)
    return workspace


@pytest.fixture
def run(archive, tmp_path):
    """Run the program as a process of its own; what it returns is code, output and errors."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AWF_ARCHIVE_")},
        "HOME": str(tmp_path / "home"),
        "AWF_ARCHIVE_CONFIG_HOME": str(tmp_path / "home"),
        "LC_ALL": "C.UTF-8",
    }

    def start(*arguments):
        command = [sys.executable, "-m", "awf_archive", *arguments]
        return subprocess.Popen(
            command,
            cwd=archive.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def call(*arguments):
        process = start(*arguments)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    call.start = start
    return call


def _folder(archive):
    return next((archive.root / ".awf-archive/index").glob("v*"))


class TestCommands:
    def test_status_tells_what_is_held_and_changes_nothing(self, awf, archive, snapshot):
        assert awf("index", "status", "--json").json["health"] == "missing"
        awf("search", "Redis")
        before = snapshot(archive.root)

        told = awf("index", "status", "--json")

        assert told.code == 0
        assert told.json | {"size": 0, "path": "", "keys": 0} == {
            "health": "ready",
            "reason": None,
            "isCurrent": True,
            "documents": 1,
            "segments": 1,
            "size": 0,
            "path": "",
            "keys": 0,
        }
        assert snapshot(archive.root) == before

    def test_status_says_when_the_archive_went_on(self, awf, archive, talk):
        awf("search", "Redis")
        talk.ask("và Postgres?", "Không.")
        archive.save(talk)

        assert "the next search catches up" in awf("index", "status").out

    @pytest.mark.usefixtures("archive")
    @pytest.mark.parametrize("language", ["en", "vi", "zh"])
    def test_rebuild_and_optimize_leave_a_sound_index(self, awf, language):
        assert awf("index", "rebuild", "--lang", language).code == 0
        assert awf("index", "rebuild", "--json").json == {"keys": 1, "documents": 1}
        assert awf("index", "optimize", "--json").json["segments"] == 1
        assert awf("index", "status", "--lang", language).code == 0

    @pytest.mark.parametrize("command", ["rebuild", "optimize"])
    def test_without_an_archive_there_is_nothing_to_index(self, awf, workspace, command):
        answer = awf("index", command, "--json")

        assert (answer.code, answer.error["kind"]) == (1, "noArchive")
        assert not (workspace.root / ".awf-archive/index").exists()

    @pytest.mark.usefixtures("archive")
    def test_a_changed_byte_is_seen_by_status(self, awf, archive):
        awf("search", "Redis")
        segment = next(_folder(archive).glob("*.seg"))
        data = bytearray(segment.read_bytes())
        data[len(data) // 2] ^= 0xFF
        segment.write_bytes(data)

        told = awf("index", "status", "--json")

        assert (told.code, told.json["health"], told.json["reason"]) == (1, "damaged", segment.name)


def _cut(pattern, size):
    def damage(folder):
        path = next(folder.glob(pattern))
        path.write_bytes(path.read_bytes()[: path.stat().st_size * size // 2])

    return damage


def _older(folder):
    folder.rename(folder.with_name("v0-0"))


DAMAGE = {
    "list of segments cut": (_cut("*.toc", 1), "damaged"),
    "list of segments empty": (_cut("*.toc", 0), "damaged"),
    "segment cut": (_cut("*.seg", 1), "damaged"),
    "segment gone": (lambda folder: next(folder.glob("*.seg")).unlink(), "damaged"),
    "another version": (_older, "another version"),
    "others may write it": (lambda folder: folder.chmod(0o777), "changed by others"),
    "folder gone": (shutil.rmtree, ""),
}


class TestDamage:
    @pytest.mark.parametrize(("damage", "said"), DAMAGE.values(), ids=DAMAGE)
    def test_spec_j03_it_is_noticed_said_and_mended(self, awf, archive, damage, said):
        awf("search", "Redis")
        damage(_folder(archive))

        answer = awf("search", "Redis", "--json")

        assert (answer.code, answer.json["total"]) == (0, 1)
        assert said in answer.err
        assert "anew" in answer.err if said else answer.err == ""
        assert awf("search", "Redis", "--json").err == ""

    def test_an_index_of_somebody_elses_archive_is_not_answered_from(
        self, awf, archive, workspace_class, talk_class, tmp_path
    ):
        other = workspace_class(tmp_path / "other")
        talk = talk_class(tmp_path / "o.jsonl", "0000bbbb-1111-4111-8111-00000000000b")
        talk.ask("wombat", "x")
        other.save(talk)
        awf("search", "wombat", "--workspace", other.root)
        shutil.copytree(other.root / ".awf-archive/index", archive.root / ".awf-archive/index")

        assert awf("search", "wombat").code == 1
        assert awf("search", "Redis", "--json").json["total"] == 1


class TestTheArchiveChangesUnderIt:
    def test_a_deleted_session_is_found_no_more(self, awf, archive, talk):
        talk.ask("wombat?", "wombat.")
        archive.save(talk)
        assert awf("search", "wombat").code == 0
        shutil.rmtree(archive.context / "conversations/sessions/session-002")
        manifest = archive.manifest()
        manifest["recentSessions"] = [
            one for one in manifest["recentSessions"] if one["sessionId"] != "session-002"
        ]
        (archive.context / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

        assert awf("search", "wombat").code == 1
        assert awf("search", "Redis").code == 0

    def test_a_session_folder_that_is_gone_is_found_no_more_until_it_is_back(
        self, awf, archive, talk, tmp_path
    ):
        talk.ask("wombat?", "wombat.")
        archive.save(talk)
        awf("search", "wombat")
        folder = archive.context / "conversations/sessions/session-002"
        folder.rename(tmp_path / "aside")

        gone, others = awf("search", "wombat"), awf("search", "Redis")
        (tmp_path / "aside").rename(folder)

        assert (gone.code, others.code) == (1, 0)
        assert awf("search", "wombat").code == 0

    def test_a_turn_file_that_is_gone_is_said_and_the_rest_is_found(self, awf, archive, talk, tmp_path):
        talk.ask("wombat?", "wombat.")
        talk.ask("numbat?", "numbat.")
        archive.save(talk)
        awf("search", "wombat")
        path = archive.context / "conversations/sessions/session-002/turn-001.md"
        path.rename(tmp_path / "aside.md")

        gone, other = awf("search", "wombat"), awf("search", "numbat")
        (tmp_path / "aside.md").rename(path)

        assert (gone.code, other.code) == (1, 0)
        assert "turn-001.md: missing" in gone.err
        assert awf("search", "wombat").code == 0

    def test_what_git_brings_and_takes_away_is_followed(self, run, archive, talk):
        git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")

        def call(*arguments):
            subprocess.run([*git, *arguments], cwd=archive.root, check=True, capture_output=True)

        call("init", "-q", "-b", "main")
        call("add", ".claude")
        call("commit", "-qm", "one")
        talk.ask("wombat?", "wombat.")
        archive.save(talk)
        call("add", ".claude")
        call("commit", "-qm", "two")
        assert run("search", "wombat")[0] == 0

        call("checkout", "-q", "HEAD~1")
        gone = run("search", "wombat")[0]
        call("checkout", "-q", "main")

        assert (gone, run("search", "wombat")[0]) == (1, 0)

    def test_a_checkpoint_of_another_process_is_found(self, run, talk):
        assert run("search", "Redis")[0] == 0
        talk.ask("wombat?", "wombat.")

        saved = run("checkpoint", "--transcript", str(talk.write()), "--feature", "login", "--json")
        found = run("search", "wombat", "--json")

        assert saved[0] == found[0] == 0
        assert json.loads(found[1])["hits"][0]["turn"] == 2


class TestSeveralProcesses:
    def test_searches_work_while_the_index_is_rebuilt_again_and_again(self, run, archive, talk):
        archive.save(talk.asks(30, "redis question"))
        assert run("search", "redis")[0] == 0
        writers = [run.start("index", "rebuild") for _ in range(3)]

        readers = [run("search", "redis", "--kind", "turn", "--json") for _ in range(4)]

        for writer in writers:
            writer.communicate(timeout=60)
        assert [writer.returncode for writer in writers] == [0, 0, 0]
        assert {(code, json.loads(out)["total"]) for code, out, _ in readers} == {(0, 31)}

    def test_while_another_writes_the_old_state_is_asked_and_it_is_said(
        self, awf, archive, talk, monkeypatch
    ):
        from awf_archive.search.engine import FileLock

        awf("search", "Redis")
        talk.ask("wombat?", "wombat.")
        archive.save(talk)
        monkeypatch.setattr("awf_archive.services.search._PATIENCE", 0.1)
        lock = FileLock(str(archive.root / ".awf-archive/index/write.lock"))
        assert lock.acquire()
        try:
            answer = awf("search", "Redis", "--json")
        finally:
            lock.release()

        assert answer.json["total"] == 1
        assert "what was saved last may be missing" in answer.err
        assert awf("search", "wombat").code == 0

    def test_a_writer_waits_for_another(self, awf, archive):
        from awf_archive.search.engine import FileLock

        (archive.root / ".awf-archive/index").mkdir(mode=0o700)
        lock = FileLock(str(archive.root / ".awf-archive/index/write.lock"))
        assert lock.acquire()
        threading.Timer(0.5, lock.release).start()
        started = time.monotonic()

        assert awf("index", "rebuild").code == 0
        assert time.monotonic() - started > 0.4

    def test_killed_while_it_writes_leaves_a_search_that_works(self, run, archive, talk):
        archive.save(talk.asks(40, "redis question"))
        for delay in (0.15, 0.3, 0.45):
            process = run.start("index", "rebuild")
            time.sleep(delay)
            process.kill()
            process.communicate()

        code, out, _ = run("search", "redis", "--kind", "turn", "--json")

        assert (code, json.loads(out)["total"]) == (0, 41)


class TestNoRightToWrite:
    @pytest.mark.usefixtures("archive")
    def test_a_current_index_is_read_where_nothing_can_be_written(self, awf, monkeypatch):
        awf("search", "Redis")

        def refuses(*_arguments, **_options):
            raise PermissionError(13, "read-only")

        monkeypatch.setattr("awf_archive.search.whoosh_index.Path.mkdir", refuses)

        assert awf("search", "Redis", "--json").json["total"] == 1

    def test_a_stale_one_is_made_anew_elsewhere(self, awf, archive):
        index = archive.root / ".awf-archive/index"
        index.write_text("in the way")

        assert awf("search", "Redis", "--json").json["total"] == 1
        assert index.read_text() == "in the way"

    def test_a_brain_alone_is_searched_without_a_folder_of_ours(self, awf, workspace):
        shutil.rmtree(workspace.root / ".awf-archive")
        (workspace.root / ".brain").mkdir()
        (workspace.root / ".brain/session.json").write_text('{"working_on": {"task": "numbat"}}')

        assert awf("search", "numbat", "--json").json["hits"][0]["kind"] == "state"
        assert not (workspace.root / ".awf-archive").exists()
