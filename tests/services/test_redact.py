"""Secrets in what is saved: counted, masked when the user chose that, and proven all the same."""

import json
import random
import string
from pathlib import Path

import pytest

from awf_archive.domain.wording import WORDINGS
from awf_archive.services.keep import existing_vault
from awf_archive.services.redact import redact
from awf_archive.services.redacted_archive import ALLOW_FILE, redacted
from awf_archive.services.scan import scan
from awf_archive.services.verify import verify

NOW = "2026-03-06T10:00:00Z"
_CHANCE = random.Random(7)  # noqa: S311 - the same each time


def drawn(count, letters=string.ascii_letters + string.digits):
    return "a1" + "".join(_CHANCE.choices(letters, k=count - 2))


GITHUB = "ghp_" + drawn(36)
PASSWORD = "hunter2hunter2"  # noqa: S105 - invented
AWS = "AKIA" + "".join(_CHANCE.choices(string.ascii_uppercase + string.digits, k=16))
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{drawn(64)}\n{drawn(64)}\n-----END RSA PRIVATE KEY-----"
SECRETS = (GITHUB, PASSWORD, AWS, KEY.splitlines()[1])


@pytest.fixture
def leaky(talk):
    """A conversation in which keys are pasted, printed and put into a tool's parameters."""
    talk.ask(f"khóa thử: {GITHUB}\nlàm tiếp nhé", "Đã hiểu.")
    talk.user("chạy thử")
    talk.call("Bash", {"command": f'curl -H "Authorization: Bearer {GITHUB}" https://x.invalid'}, "ok")
    talk.call("Login", {"user": "an", "password": PASSWORD, "n": 3}, f"mật khẩu: {PASSWORD}\n{AWS}\n{KEY}\n")
    talk.reply("Xong.")
    return talk


@pytest.fixture
def vaults(tmp_path):
    return tmp_path / "vaults"


def bytes_of(workspace):
    return b"\n".join(path.read_bytes() for path in workspace.context.rglob("*") if path.is_file())


def is_sound(workspace, vaults):
    report = verify(workspace.archive, existing_vault(workspace.layout, vaults), threshold=20, quick=False)
    assert report.findings == []
    return report.proven.from_vault


def test_by_default_the_archive_keeps_the_words_and_the_checkpoint_tells(workspace, leaky, vaults):
    done = workspace.save(leaky, vaults=vaults)

    assert all(secret.encode() in bytes_of(workspace) for secret in SECRETS)
    assert done.secrets == {"github-token": 2, "password": 2, "aws-access-key-id": 1, "private-key": 1}
    assert is_sound(workspace, vaults) == 2


def test_when_chosen_nothing_secret_is_saved_and_every_turn_is_still_proven(workspace, leaky, vaults):
    done = workspace.save(leaky, vaults=vaults, redact="archive")

    assert not any(secret.encode() in bytes_of(workspace) for secret in SECRETS)
    assert done.are_masked
    assert sum(done.secrets.values()) == 6
    assert scan(workspace.layout).spots == ()
    assert is_sound(workspace, vaults) == 2


def test_redact_masks_what_is_there_and_verify_stays_clean(workspace, leaky, vaults):
    workspace.save(leaky, vaults=vaults)
    numbers = [number for number, *_ in workspace.turns()]
    assert len(scan(workspace.layout).spots) >= 6

    done = redact(workspace.archive, NOW, WORDINGS["en"])

    assert done.left == ()
    assert not any(secret.encode() in bytes_of(workspace) for secret in SECRETS)
    assert scan(workspace.layout).spots == ()
    assert [number for number, *_ in workspace.turns()] == numbers
    assert is_sound(workspace, vaults) == 2


def test_redacted_turns_keep_their_blocks(workspace, leaky):
    workspace.save(leaky)
    redact(workspace.archive, NOW, WORDINGS["en"])

    session, entry = workspace.archive.find("login", 2)
    turn = workspace.archive.turn("login", session.session_id, entry)
    call = turn.assistant_blocks[1]

    assert not turn.is_edited
    assert call.input == {"user": "an", "password": "[REDACTED:password]", "n": 3}
    assert call.result.blocks[0].text == (
        "mật khẩu: [REDACTED:password]\n[REDACTED:aws-access-key-id]\n[REDACTED:private-key]\n"
    )


def test_redacting_twice_changes_nothing(workspace, leaky, snapshot):
    workspace.save(leaky)
    redact(workspace.archive, NOW, WORDINGS["en"])
    before = snapshot(workspace.context)

    again = redact(workspace.archive, NOW, WORDINGS["en"])

    assert again.files == ()
    assert snapshot(workspace.context) == before


def test_saving_goes_on_after_redaction(workspace, leaky, vaults):
    workspace.save(leaky, vaults=vaults)
    redact(workspace.archive, NOW, WORDINGS["en"])

    leaky.ask("tiếp", "ok")
    done = workspace.save(leaky, vaults=vaults)

    assert (done.saved, done.updated) == (1, 0)
    assert is_sound(workspace, vaults) == 3


def test_decisions_and_earlier_texts_are_masked_too(workspace, talk, vaults):
    questions = [
        {"question": "Which password?", "header": "DB", "options": [{"label": f"password: {PASSWORD}"}]}
    ]
    talk.user("go")
    talk.call(
        "AskUserQuestion",
        {"questions": questions},
        f'User has answered your questions: "Which password?"="password: {PASSWORD}"',
    )
    talk.reply(f"It is password: {PASSWORD}")
    workspace.save(talk, vaults=vaults)
    talk.reply("And more.")
    workspace.save(talk, vaults=vaults)
    assert list(workspace.context.rglob("revisions/*.md"))

    redact(workspace.archive, NOW, WORDINGS["en"])

    assert PASSWORD.encode() not in bytes_of(workspace)
    assert "[REDACTED:password]" in workspace.archive.decisions("login")[0].text
    is_sound(workspace, vaults)


def test_what_is_allowed_by_name_stays(workspace, leaky):
    workspace.save(leaky)
    name = next(one.name for one in scan(workspace.layout).spots if one.kind == "password")
    (workspace.root / ALLOW_FILE).write_text(f"# tests\n{name}  # the test database's\n", encoding="utf-8")

    redact(workspace.archive, NOW, WORDINGS["en"])

    assert PASSWORD.encode() in bytes_of(workspace)
    assert GITHUB.encode() not in bytes_of(workspace)
    assert scan(workspace.layout).spots == ()


def test_a_redaction_that_stopped_anywhere_is_finished_by_the_next(workspace, leaky, vaults, monkeypatch):
    from awf_archive.store import atomic

    workspace.save(leaky, vaults=vaults)
    whole, stopped = atomic.write, 0
    for step in range(20):
        left = iter(range(step))

        def write(path, data, left=left, **more):
            if path.is_relative_to(workspace.context) and next(left, None) is None:
                raise KeyboardInterrupt
            whole(path, data, **more)

        monkeypatch.setattr(atomic, "write", write)
        try:
            redact(workspace.archive, NOW, WORDINGS["en"])
        except KeyboardInterrupt:
            stopped += 1
            continue
        break

    assert stopped >= 3
    assert scan(workspace.layout).spots == ()
    assert is_sound(workspace, vaults) == 2


def test_an_archive_seen_from_outside_holds_masks(workspace, leaky):
    workspace.save(leaky)
    outside = redacted(workspace.layout)

    session, entry = outside.find("login", 1)
    turn = outside.turn("login", session.session_id, entry)

    assert "[REDACTED:github-token]" in turn.user
    assert "[REDACTED:github-token]" in entry.title
    assert GITHUB.encode() in bytes_of(workspace)


def test_the_reported_case_h05(workspace, shared, tmp_path, vaults):
    made = {
        "@@PROVIDER_KEY@@": "sk-ant-api03-" + drawn(93),
        "@@GITHUB_TOKEN@@": GITHUB,
        "@@AWS_KEY_ID@@": AWS,
        "@@PRIVATE_KEY_BLOCK@@": KEY.replace("\n", "\\n"),
        "@@PUBLISHABLE_KEY@@": "pk_live_" + drawn(24),
    }
    text = next((shared / "cases").glob("H05*/input.template.jsonl")).read_text(encoding="utf-8")
    for place, secret in made.items():
        text = text.replace(place, secret)
    source = tmp_path / "00000047-1111-4111-8111-111111111111.jsonl"
    source.write_text(text, encoding="utf-8")

    workspace.save(source, vaults=vaults, redact="archive")

    kept = bytes_of(workspace).decode()
    gone = [*list(made.values())[:3], PASSWORD, "p@ssw0rd-dài-lắm", KEY.splitlines()[1]]
    assert [secret for secret in gone if secret in kept] == []
    for word in ("3f2a9c1e7b6d5a4f3e2d1c0b9a8f7e6d5c4b3a29", "xai-kebab-case-name/file.py", "123e4567-e89b"):
        assert word in kept
    assert made["@@PUBLISHABLE_KEY@@"] in kept
    assert is_sound(workspace, vaults) == 1


def test_no_metadata_holds_a_secret_in_its_titles(workspace, leaky):
    workspace.save(leaky)
    redact(workspace.archive, NOW, WORDINGS["en"])

    metadata = json.dumps(workspace.metadata("session-001"), ensure_ascii=False)

    assert "[REDACTED:github-token]" in metadata
    assert GITHUB not in metadata
    assert not Path(workspace.root / ".awf-archive/redacting.json").exists()


def test_no_file_of_the_site_holds_a_secret(workspace, leaky):
    from awf_archive.site_builder.build import build

    workspace.save(leaky)
    (workspace.layout.spec("login") / "requirements.md").write_text(
        f"password: {PASSWORD}\n", encoding="utf-8"
    )

    build(workspace.layout)

    pages = b"\n".join(path.read_bytes() for path in workspace.layout.site.rglob("*") if path.is_file())
    assert not any(secret.encode() in pages for secret in SECRETS)
    assert b"[REDACTED:github-token]" in pages
    assert [one for one in scan(workspace.layout).spots if "/site/" in one.path] == []


def test_a_page_is_rendered_anew_when_a_secret_is_allowed(workspace, talk):
    from awf_archive.site_builder.build import build

    talk.ask(f"mật khẩu: {PASSWORD}", "ok")
    workspace.save(talk)
    build(workspace.layout)
    name = scan(workspace.layout).spots[0].name
    (workspace.root / ALLOW_FILE).write_text(name, encoding="utf-8")

    build(workspace.layout)

    pages = b"\n".join(path.read_bytes() for path in workspace.layout.site.rglob("*.html"))
    assert PASSWORD.encode() in pages
