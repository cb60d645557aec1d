"""`scan` and `redact` as a person and a program meet them."""

import pytest

PASSWORD = "hunter2" * 2


@pytest.fixture
def leaky(workspace, talk):
    talk.ask(f"mật khẩu: {PASSWORD}", f"Đã đặt password: {PASSWORD} rồi.")
    workspace.save(talk)
    return workspace


def test_a_clean_archive_says_so(workspace, talk, awf):
    workspace.save(talk.asks(2))

    done = awf("scan")

    assert done.code == 0
    assert done.out.startswith("✅ No secrets in ")


@pytest.mark.usefixtures("leaky")
def test_findings_name_file_line_and_kind_and_never_the_secret(awf):
    done = awf("scan")

    assert done.code == 1
    assert "/session-001/turn-001.md:" in done.out
    assert ": password  (password:" in done.out
    assert "❌ " in done.out
    assert PASSWORD not in done.out + done.err


def test_the_line_is_the_files_own(leaky, awf):
    found = awf("scan", "--json").json

    for one in found["findings"]:
        lines = (leaky.root / one["path"]).read_text(encoding="utf-8").split("\n")
        assert PASSWORD in lines[one["line"] - 1]
    assert found["ok"] is False
    assert found["kinds"] == {"password": len(found["findings"])}
    assert PASSWORD not in str(found)


@pytest.mark.parametrize(("lang", "word"), [("vi", "bí mật"), ("zh", "机密信息"), ("en", "secrets")])
@pytest.mark.usefixtures("leaky")
def test_it_speaks_the_persons_language(awf, lang, word):
    assert word in awf("scan", "--lang", lang).out
    assert word in awf("redact", "--lang", lang).out


@pytest.mark.usefixtures("leaky")
def test_redact_then_scan_is_clean_and_verify_too(awf):
    done = awf("redact", "--json").json

    assert done["left"] == []
    assert done["kinds"]["password"] >= 2
    assert awf("scan").code == 0
    assert awf("verify").code == 0
    assert awf("redact").out.startswith("✅ Nothing to mask.")


@pytest.mark.usefixtures("workspace")
def test_a_checkpoint_warns_with_count_and_kinds(talk, awf):
    talk.ask(f"mật khẩu: {PASSWORD}", "ok")

    done = awf("checkpoint", "--transcript", talk.write(), "--feature", "login")

    assert "⚠️ 1 secret was saved as said (password 1)." in done.out
    assert PASSWORD not in done.out


def test_the_setting_masks_what_is_saved(workspace, talk, awf):
    (workspace.root / "awf-archive.toml").write_text('redact = "archive"\n')
    talk.ask(f"mật khẩu: {PASSWORD}", "ok")

    done = awf("checkpoint", "--transcript", talk.write(), "--feature", "login", "--json").json

    assert done["secrets"] == {"password": 1}
    assert done["redacted"] is True
    assert awf("scan").code == 0
    assert awf("verify").code == 0


def test_a_wrong_value_of_the_setting_is_refused(workspace, awf):
    (workspace.root / "awf-archive.toml").write_text('redact = "everything"\n')

    done = awf("scan")

    assert done.code == 2
    assert "view, archive" in done.err


@pytest.mark.usefixtures("leaky")
def test_search_and_resume_show_masks_while_the_archive_keeps_the_words(awf):
    found = awf("search", "mật khẩu", "--json")
    resumed = awf("resume", "login")

    assert "[REDACTED:password]" in found.out
    assert "[REDACTED:password]" in resumed.out
    assert PASSWORD not in found.out + resumed.out
    assert PASSWORD in awf("show", "login#1").out


def test_a_site_for_ci_is_refused_while_secrets_had_to_be_masked(leaky, awf):
    refused = awf("site", "build", "--fail-on-secrets")
    awf("redact")

    assert refused.code == 1
    assert "secrets are masked on the site (password " in refused.err
    assert PASSWORD not in refused.err
    assert (leaky.layout.site / "index.html").exists()
    assert awf("site", "build", "--fail-on-secrets").code == 0
