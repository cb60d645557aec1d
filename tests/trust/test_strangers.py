"""What a stranger wrote, a transcript or a whole repository, leads nowhere and runs nothing (SECURITY.md)."""

import json
import os
import re
import resource
import zipfile

import pytest

from awf_archive.domain.file_names import inner_path
from awf_archive.errors import DamagedArchiveError, FeatureNameError, InputError
from awf_archive.readers import READERS
from awf_archive.services.sources import opened

SESSION = "conversations/sessions/session-001"
ESCAPES = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J \u202egnp.exe \x08\x08 \x1b]52;c;ZXZpbA==\x07"


@pytest.fixture
def secret(tmp_path):
    """A file of ours that no archive may show."""
    path = tmp_path / "home/.ssh/id_rsa"
    path.parent.mkdir(parents=True)
    path.write_text("PRIVATE KEY OF LINH")
    return path


@pytest.fixture
def cloned(safe, talk):
    """An archive that came with a repository."""
    safe.save(talk.asks(2))
    return safe.workspace


@pytest.fixture
def run(awf, tmp_path, monkeypatch):
    """Run the program with the vault of these tests; return its code and all that it says."""
    monkeypatch.setenv("AWF_ARCHIVE_DATA_HOME", str(tmp_path / "data"))

    def run(*arguments):
        answer = awf(*arguments)
        return answer.code, answer.out + answer.err

    return run


NAMES = [
    "../../x",
    "/etc/passwd",
    "..",
    "a/../../b",
    "C:\\x",
    "C:x",
    "a\\..\\b",
    "a\0b",
    "a\nb",
    "",
    "a//b",
    "./a",
]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_in_a_strangers_json_leads_out_of_its_folder(name):
    with pytest.raises(ValueError, match="leads out"):
        inner_path(name)


def _turn_file(metadata, _manifest, name):
    metadata["turns"][0]["file"] = name


def _revision(metadata, _manifest, name):
    metadata["turns"][0]["revisions"] = [{"file": name, "sha256": "0" * 64}]


def _attachment(metadata, _manifest, name):
    metadata["turns"][0]["attachments"] = [name]


def _session(_metadata, manifest, name):
    manifest["recentSessions"][0]["sessionId"] = name


def _chunk(_metadata, manifest, name):
    manifest["semanticChunks"] = [{"chunkId": "chunk-001", "turnRange": [1, 1], "file": name}]


@pytest.mark.parametrize(
    "place", [_turn_file, _revision, _attachment, _session, _chunk], ids=lambda one: one.__name__
)
def test_a_cloned_archive_shows_no_file_of_ours(cloned, secret, run, place):
    """Every command that reads or mends it is run: none prints, copies, moves or changes the file."""
    metadata_file, manifest_file = (
        cloned.context / SESSION / "metadata.json",
        cloned.context / "manifest.json",
    )
    metadata, manifest = json.loads(metadata_file.read_bytes()), cloned.manifest()
    place(metadata, manifest, os.path.relpath(secret, cloned.context / SESSION))
    metadata_file.write_text(json.dumps(metadata))
    manifest["recentSessions"][0].pop("metadataSha256", None)
    manifest_file.write_text(json.dumps(manifest))

    told = "".join(
        run(*arguments)[1]
        for arguments in (
            ("show", "login#1"),
            ("resume", "login"),
            ("verify",),
            ("repair",),
            ("search", "PRIVATE"),
        )
    )

    assert "PRIVATE KEY" not in told
    assert secret.read_text() == "PRIVATE KEY OF LINH"
    copies = [
        path for path in cloned.root.rglob("*") if path.is_file() and b"PRIVATE KEY" in path.read_bytes()
    ]
    assert copies == []


def test_a_turn_that_is_a_link_is_not_followed(cloned, secret, run):
    path = cloned.context / SESSION / "turn-001.md"
    path.unlink()
    path.symlink_to(secret)

    code, told = run("show", "login#1")

    assert code == 3
    assert "is a link" in told
    assert "PRIVATE KEY" not in told


@pytest.mark.parametrize("name", ["", ".context", ".context/conversations", f".context/{SESSION}"])
def test_a_folder_that_is_a_link_out_of_the_workspace_is_neither_read_nor_written(
    cloned, safe, talk, tmp_path, name
):
    folder = cloned.layout.spec("login") / name
    outside = tmp_path / "outside"
    folder.rename(outside)
    folder.symlink_to(outside)
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}

    with pytest.raises(DamagedArchiveError, match="leads out of the workspace"):
        safe.save(talk.asks(1))

    assert {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()} == before


def test_a_file_beside_a_transcript_that_is_a_link_is_not_kept(safe, talk, secret):
    beside = talk.path.with_suffix("") / "tool-results"
    beside.mkdir(parents=True)
    (beside / "link.txt").symlink_to(secret)
    (talk.path.with_suffix("") / "folder").symlink_to(secret.parent)

    safe.save(talk.asks(1))

    (window,) = safe.vault.windows()
    assert {one.file for one in window.segments()} == {""}


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "../x",
        "/abs",
        "a/b",
        "a\\b",
        "con",
        "NUL.txt",
        "lpt1",
        "a\0b",
        "a\x1bb",
        "x.",
        "x ",
        ".git",
        "x" * 300,
        "\u202ex",
    ],
)
def test_no_feature_leads_out_of_the_archive(safe, talk, name):
    with pytest.raises(FeatureNameError):
        safe.save(talk.asks(1), feature=name)

    assert not safe.workspace.layout.archive.exists()


def test_names_that_differ_only_in_form_are_one_feature(safe, talk):
    """NFC and NFD spell the same name: macOS and Linux must not make two folders of it."""
    safe.save(talk.asks(1), feature="d\u0103ng nh\u1eadp")
    safe.save(talk.asks(1), feature="da\u0306ng nha\u0323\u0302p")

    assert len(safe.workspace.archive.features()) == 1


def test_a_transcript_with_a_strangers_ids_stays_in_the_archive_and_the_vault(
    safe, talk, talk_class, tmp_path
):
    evil = "../../../../evil\0\x1b[2J/" + "x" * 300
    wild = talk_class(talk.path, evil, cwd="/../..", branch="../../x").asks(2)
    wild.records[0]["uuid"] = "../../../uuid"
    wild.records[1]["parentUuid"] = "../../../uuid"

    safe.save(wild)

    inside = (safe.workspace.root, safe.vaults.parent, tmp_path / "transcripts")
    stray = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and not any(one in path.parents for one in inside)
    ]
    assert stray == []
    assert safe.findings() == []


def test_terminal_output_is_free_of_a_strangers_escape_sequences(safe, talk, run):
    talk.ask(f"question {ESCAPES}", f"answer {ESCAPES}")
    talk.call("Bash", {"command": f"echo {ESCAPES}"}, ESCAPES)
    safe.save(talk)
    path = safe.workspace.context / SESSION / "metadata.json"
    path.write_text(path.read_text().replace('"title"', '"title": "\\u001b[2J", "x"', 1))
    commands = [
        ("list",),
        ("show", "login#1"),
        ("search", "question"),
        ("resume", "login"),
        ("verify",),
        ("repair",),
        ("restore", "0000", "--to", f"out{ESCAPES}".replace("/", "_").replace("\0", "_")),
        ("checkpoint", "--transcript", talk.path, "--feature", "login"),
    ]

    for arguments in commands:
        _, told = run(*arguments)
        assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told) == [], arguments


def _bombs(tmp_path):
    import zstandard

    yield "zip", _zip(tmp_path / "bomb.zip", b"[" + b" " * (160 << 20))
    inner = _zip(tmp_path / "inner.zip", b"[" + b" " * (160 << 20)).read_bytes()
    with zipfile.ZipFile(tmp_path / "nested.zip", "w") as archive:
        archive.writestr("inner.zip", inner)
    yield "zip in a zip", tmp_path / "nested.zip"
    path = tmp_path / "rollout-2026-03-05T10-00-00-0000aaaa-1111-4111-8111-000000000001.jsonl.zst"
    path.write_bytes(zstandard.ZstdCompressor(level=19).compress(b"\0" * (160 << 20)))
    yield "zstd", path


def _zip(path, data):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", data)
    return path


@pytest.mark.skipif(os.name != "posix", reason="memory is limited as POSIX does")
def test_compressed_input_cannot_eat_the_memory(safe, program, tmp_path, figures):
    """Each file unpacks to 160 MB; the program may take 160 MB of memory for everything."""
    limit = 160 << 20
    before = resource.getrlimit(resource.RLIMIT_DATA)
    for name, path in _bombs(tmp_path):
        resource.setrlimit(resource.RLIMIT_DATA, (limit, before[1]))
        try:
            process = program(safe.workspace.root, "checkpoint", "--transcript", path)
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)
        out, error = process.communicate(timeout=60)
        assert process.returncode == 3, (name, out, error)
        assert "MemoryError" not in error
    figures("three bombs of 160 MB refused within 160 MB of memory")


def test_a_cloned_repositorys_settings_reach_nothing_outside(safe, talk, run, tmp_path):
    outside = tmp_path / "outside"
    settings = safe.workspace.root / "awf-archive.toml"
    for line in (
        f'vault_dir = "{outside}"',
        f'archive_dir = "{outside}"',
        'archive_dir = "../outside"',
        'postgres_dsn = "postgresql://evil.example/x"',
    ):
        settings.write_text(line + "\n")
        code, told = run("checkpoint", "--transcript", talk.asks(1).write(), "--feature", "login")
        assert code == 0
        assert "is ignored" in told
    assert not outside.exists()
    assert (tmp_path / "data/vault").is_dir()


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these permissions")
def test_an_index_that_others_can_write_is_not_opened(safe, talk, run):
    """Its files are pickles: who can put one there could run anything."""
    safe.save(talk.asks(2))
    assert run("search", "question")[0] == 0
    mark = safe.home / "owned"
    folders = [
        safe.workspace.layout.index,
        *(one for one in safe.workspace.layout.index.iterdir() if one.is_dir()),
    ]
    pickle = b"cos\nsystem\n(S'touch " + str(mark).encode() + b"'\ntR."
    for folder in folders:
        folder.chmod(0o777)
        for path in folder.glob("*"):
            if path.is_file():
                path.write_bytes(pickle)

    code, told = run("search", "question")

    assert not mark.exists()
    assert code == 0
    assert "question" in told
    assert all(folder.stat().st_mode & 0o022 == 0 for folder in folders if folder.exists())


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.name)
def test_no_reader_fails_on_rubbish_in_a_way_of_its_own(reader, tmp_path):
    path = tmp_path / "rubbish"
    for data in (
        b"\0" * 1000,
        os.urandom(5000),
        b"{" * 5000,
        b"[" * 5000,
        b'"\\ud800' * 500,
        b"\xff\xfe" * 500,
    ):
        path.write_bytes(data)
        with opened(path) as source:
            try:
                for transcript in reader.read(source):
                    list(transcript.turns())
            except InputError:
                continue
