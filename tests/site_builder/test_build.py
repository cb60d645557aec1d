import json
import re
import shutil
import tempfile
from html import unescape
from pathlib import Path

import pytest

from awf_archive.domain.manifest import Manifest
from awf_archive.domain.transcript import Attachment, Text
from awf_archive.domain.wording import WORDINGS, choose
from awf_archive.errors import DiskError, UsageError
from awf_archive.render.cache import RenderCache
from awf_archive.site_builder.build import How, build
from awf_archive.store.layout import Layout


def files_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".awf-site.json"
    }


def pages_of(folder: Path) -> dict[str, bytes]:
    return {name: data for name, (_, data) in files_of(folder).items()}


def changed(before: dict, after: dict) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def text_of(page: Path) -> str:
    return page.read_text("utf-8")


def test_a_small_archive_becomes_a_site_with_its_turns(small):
    report = build(small.layout)

    assert (report.sessions, report.warnings) == (3, ())
    page = text_of(small.layout.site / "features/block-user/session-001/index.html")
    assert report.path == small.layout.site.resolve() / "index.html"
    assert "In <strong>files</strong>, one per turn." in page
    assert '<h2 id="turn-003">' in page
    assert "<h1" in page
    assert page.count("<h1") == 1 + page.count("<!-- its <h1>")
    assert "How turns are stored</h1>" in page
    assert "Left by a rewind" in page
    assert "Store: files" in page


def test_building_twice_rewrites_nothing(small):
    build(small.layout)
    before = files_of(small.layout.site)

    report = build(small.layout)

    assert report.changed == 0
    assert files_of(small.layout.site) == before


def test_the_report_tells_the_size_and_the_masked_secrets(archive, turn):
    archive.save("login", [turn("mật khẩu: hunter2hunter2", "password: hunter2hunter2 it is"), turn("ok")])

    report = build(archive.layout)

    assert report.masked == {"password": 2}
    site = archive.layout.site
    assert (
        report.size
        == sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
        - (site / ".awf-site.json").stat().st_size
    )
    assert "hunter2hunter2" not in text_of(site / "features/login/session-001/index.html")
    assert build(archive.layout).masked == {"password": 2}  # also when nothing is rendered


def test_several_workspaces_stand_in_one_site(tmp_path, make_archive, turn):
    shop, api = (make_archive(tmp_path / name) for name in "ab")
    shop.save("login", [turn("how do we log in?"), turn("by mail")])
    shop.decide("login", "Store: SQLite", 2)
    api.save("login", [turn("which token?")], title="Tokens")
    api.save("đăng nhập", [turn("mật khẩu")])
    api.decide("login", "Store: Redis", 1)

    report = build(shop.layout, how=How(beside=(api.layout,)))

    assert (report.sessions, report.warnings) == (3, ())
    pages = {
        page.parent.relative_to(shop.layout.site).as_posix(): text_of(page)
        for page in shop.layout.site.glob("features/*/session-*/index.html")
    }
    ours = next(text for text in pages.values() if "how do we log in?" in text)
    theirs = next(text for text in pages.values() if "which token?" in text)
    assert ">a/shop/login</a>" in ours
    assert ">b/shop/login</a>" in theirs
    home = text_of(shop.layout.site / "index.html")
    assert "Store: SQLite" in home
    assert "Store: Redis" in home
    table = re.search(r'"b/shop/login":\[\[1,1,"([^"]+)"', text_of(shop.layout.site / "t/index.html"))
    assert table
    assert table[1] in pages
    assert build(shop.layout, how=How(beside=(api.layout,))).changed == 0
    assert build(api.layout).sessions == 2


def test_a_full_build_gives_the_same_bytes(small):
    build(small.layout)
    before = files_of(small.layout.site)

    report = build(small.layout, how=How(full=True))

    assert report.changed == 0
    assert files_of(small.layout.site) == before


def test_a_new_session_changes_only_what_must(small, turn):
    build(small.layout)
    before = files_of(small.layout.site)

    small.save("block-user", [turn("one more", "ok")], title="Third")
    build(small.layout)

    after = files_of(small.layout.site)
    assert changed(before, after) == {
        "index.html",
        "features/index.html",
        "features/block-user/index.html",
        "features/block-user/session-002/index.html",  # its "next" link
        "features/block-user/session-003/index.html",
        "features/block-user/session-003/texts.js",
        "feed.xml",
        "sessions/index.html",
        "statistics/index.html",
        "timeline/index.html",
        "timeline/2026-01/index.html",
        "t/index.html",
        "search/full/delta.js",
        "search/search_index.js",
        "search/search_index.json",
    }


def test_pages_of_a_session_that_is_gone_go_too(small):
    build(small.layout)
    kept = small.manifests["block-user"].sessions[:1]

    small.commit("block-user", kept)
    build(small.layout)

    assert not (small.layout.site / "features/block-user/session-002").exists()
    assert (small.layout.site / "features/block-user/session-001/index.html").exists()


def test_a_deleted_page_comes_back(small):
    build(small.layout)
    page = small.layout.site / "features/block-user/session-001/index.html"
    page.unlink()

    build(small.layout)

    assert page.exists()


def test_the_site_is_the_same_on_another_file_system(small, tmp_path):
    memory = Path("/dev", "shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second file system here")
    build(small.layout)
    with tempfile.TemporaryDirectory(dir=memory) as elsewhere:
        build(small.layout, site_dir=Path(elsewhere) / "site")

        assert pages_of(Path(elsewhere) / "site") == pages_of(small.layout.site)


def test_a_new_folder_of_the_site_joins_those_that_are_there(small):
    build(small.layout, how=How(with_words=False))
    there = small.layout.site / "features/block-user"
    (there / "notes.txt").write_text("mine")
    shutil.rmtree(there / "session-002")

    build(small.layout, how=How(with_words=False))

    assert (there / "session-002/index.html").exists()
    assert (there / "notes.txt").read_text() == "mine"


def test_turns_in_any_script_come_back_from_the_render_cache_as_they_were(small, turn):
    said = ("chào 👋\u2028bạn", "第二轮\r\n", "plain")
    small.save("odd", [turn(one) for one in said])
    cache = RenderCache(folder=small.layout.render_cache, words=choose("en"))
    build(small.layout)

    turns = cache.load("features/odd/session-001").turns

    assert [one.local for one in turns] == [1, 2, 3]
    assert all(one.html.startswith("<section ") and one.html.endswith("</section>\n") for one in turns)
    assert ["👋" in one.text for one in turns] == [True, False, False]
    assert ["第二轮" in one.text for one in turns] == [False, True, False]


def test_a_damaged_render_cache_is_made_again(small):
    build(small.layout)
    before = files_of(small.layout.site)
    for path in small.layout.render_cache.rglob("fragment"):
        path.write_bytes(b"\xff{")

    build(small.layout)

    assert files_of(small.layout.site) == before


def test_an_edited_turn_is_shown_as_it_is_now(small):
    build(small.layout)
    path = small.layout.session("block-user", "session-002") / "turn-001.md"
    path.write_text(path.read_text("utf-8").replace("Whoosh.", "Whoosh, by hand."), "utf-8")

    build(small.layout)

    page = text_of(small.layout.site / "features/block-user/session-002/index.html")
    assert "Whoosh, by hand." in page
    assert "edited by hand" in page


@pytest.mark.parametrize("language", ["en", "vi", "zh"])
def test_every_language_names_its_own_pages(small, tmp_path, language):
    words = WORDINGS[language].site

    build(small.layout, site_dir=tmp_path / "out", language=language)

    page = text_of(tmp_path / "out/features/block-user/session-001/index.html")
    assert f'<html lang="{language}"' in page
    for said in (words.prompts_only, words.copy_link, words.abandoned, words.made_by):
        assert said in page
    assert words.latest_sessions in text_of(tmp_path / "out/index.html")


def test_features_of_any_script_have_folders_of_their_own(small):
    build(small.layout)

    folders = {path.name for path in (small.layout.site / "features").iterdir() if path.is_dir()}

    assert folders == {"block-user", "dang-nhap~f9b1cd589c"}
    assert "登录怎么做" in text_of(small.layout.site / "features/dang-nhap~f9b1cd589c/session-001/index.html")


def test_no_archive_gives_a_home_page_that_says_what_to_do(tmp_path):
    report = build(Layout(root=tmp_path))

    assert (report.sessions, report.warnings) == (0, ())
    assert "awf-archive checkpoint" in text_of(report.path)


def test_a_turn_that_does_not_read_is_a_warning_and_a_note(small):
    (small.layout.session("block-user", "session-001") / "turn-002.md").write_bytes(b"\xff\xfe nothing")

    report = build(small.layout)

    page = text_of(small.layout.site / "features/block-user/session-001/index.html")
    assert len(report.warnings) == 1
    assert "turn-002.md" in report.warnings[0]
    assert "Could not be read" in page
    assert '<h2 id="turn-002">' in page
    assert "Quyết định: dùng tệp" in page


def test_a_session_that_does_not_read_is_a_warning_and_the_rest_is_built(small):
    (small.layout.session("block-user", "session-001") / "metadata.json").write_bytes(b"{")

    report = build(small.layout)

    assert report.sessions == 2
    assert "session-001" in report.warnings[0]
    assert "Could not be read" in text_of(small.layout.site / "features/block-user/index.html")


def test_a_damaged_manifest_hides_no_other_feature(small):
    small.layout.manifest("block-user").write_bytes(b"[]")

    report = build(small.layout)

    assert report.sessions == 1
    assert "block-user" in report.warnings[0]


def test_sessions_of_the_original_skill_render(archive):
    folder = archive.layout.session("old", "session-001")
    folder.mkdir(parents=True)
    (folder / "turn-001.md").write_text("## 用户\n\n你好\n\n## 助手\n\n**好**\n", "utf-8")
    seed = {
        "sessionId": "session-001",
        "createdAt": "2026-01-01T00:00:00Z",
        "globalRange": [1, 1],
        "turnCount": 1,
    }
    (folder / "metadata.json").write_text(json.dumps(seed), "utf-8")
    manifest = {
        "specId": "old",
        "turnWatermark": {"lastChunkedTurn": 0, "lastSessionEndTurn": 1},
        "recentSessions": [{"sessionId": "session-001", "globalRange": [1, 1], "status": "active"}],
    }
    archive.layout.manifest("old").write_text(json.dumps(manifest), "utf-8")

    report = build(archive.layout)

    page = text_of(archive.layout.site / "features/old/session-001/index.html")
    assert (report.sessions, report.warnings) == (1, ())
    assert "<strong>好</strong>" in page


def test_attachments_lie_beside_the_page_and_only_plain_names_are_copied(archive, turn):
    image = Attachment(file="0123456789abcdef.png", media_type="image/png", name="a.png", size=3)
    said = turn([Text(text="look"), image])
    payloads = {"0123456789abcdef.png": b"png"}
    archive.save("f", [type(said)(outline=said.outline, user=said.user, assistant=(), payloads=payloads)])

    build(archive.layout)

    folder = archive.layout.site / "features/f/session-001"
    assert (folder / "files/0123456789abcdef.png").read_bytes() == b"png"
    assert '<img src="files/0123456789abcdef.png"' in text_of(folder / "index.html")


def test_long_sessions_have_pages_of_200_turns_and_links_that_follow(archive, turn):
    archive.save("long", [turn(f"question {n}") for n in range(1, 402)], title="Long")
    archive.decide("long", "later", 350)

    report = build(archive.layout)

    folder = archive.layout.site / "features/long/session-001"
    assert sorted(path.name for path in folder.glob("*.html")) == ["index.html", "page-2.html", "page-3.html"]
    assert "turn-200" in text_of(folder / "index.html")
    assert "turn-201" not in text_of(folder / "index.html")
    assert "features/long/session-001/page-2.html#turn-350" in text_of(
        archive.layout.site / "decisions/index.html"
    )
    assert report.sessions == 1


def test_a_session_of_twenty_plain_turns_is_a_small_page(archive, turn):
    body = "A paragraph of some words. " * 20 + "\n\n```python\nx = 1\n```\n\n- a\n- b\n"
    archive.save("f", [turn("please " * 10, body) for _ in range(20)])
    archive.decide("f", "A decision of some words", 3)

    build(archive.layout)

    said = 20 * (len(body) + 70)
    assert (archive.layout.site / "features/f/session-001/index.html").stat().st_size < said + 32_000
    assert (archive.layout.site / "decisions/f/d-001/index.html").stat().st_size < 14_500


def test_what_a_page_looks_like_is_settled_before_anything_is_painted(small):
    build(small.layout)

    for name in (
        "index.html",
        "features/block-user/session-001/index.html",
        "decisions/block-user/d-001/index.html",
    ):
        head = text_of(small.layout.site / name).partition("<body")[0]
        assert re.search(r'<script src="[./]*assets/awf-head\.js"></script>', head)


def test_no_page_names_another_host_but_in_links_a_person_follows(small):
    build(small.layout)

    for path in small.layout.site.rglob("*.html"):
        fetched = re.findall(
            r'<(?:script|link|img|iframe|source)[^>]*(?:src|href)="(https?:)?//', text_of(path)
        )
        assert fetched == [], path


def test_the_policy_is_the_first_thing_of_every_page(small):
    build(small.layout)

    for path in small.layout.site.rglob("*.html"):
        before, policy, _ = text_of(path).partition("<head>")[2].partition("Content-Security-Policy")
        assert policy, path
        assert not any(part in before for part in ("<link", "<script", "<style")), path


def test_titles_are_exactly_what_was_said(archive, turn):
    title = 'Xin chào: phần 2 #3 "trích" \\ [x] <script>alert(1)</script> {{ x }}'
    archive.save("f", [turn("hello")], title=title)

    build(archive.layout)

    page = text_of(archive.layout.site / "features/f/session-001/index.html")
    assert unescape(page.partition("<title>")[2].partition("</title>")[0]).startswith(f"{title} · ")
    assert f"{title}</h1>" in unescape(page)
    assert "<script>alert(1)" not in page
    assert "<script>alert(1)" not in text_of(archive.layout.site / "search/search_index.json")


def test_the_search_box_knows_titles_summaries_and_decisions_but_no_turn(small):
    build(small.layout)

    index = json.loads(text_of(small.layout.site / "search/search_index.json"))
    titles = [entry["title"] for entry in index["docs"]]
    everything = json.dumps(index, ensure_ascii=False)
    assert "How turns are stored" in titles
    assert "D-001 · Store: files" in titles
    assert "one per turn" not in everything
    assert "录设" in everything
    assert index["config"]["fields"]["fold"] == {"boost": 0.5}


def test_summaries_lead_to_their_turns(small):
    build(small.layout)

    page = text_of(small.layout.site / "features/block-user/index.html")
    assert '<a href="../../features/block-user/session-001/index.html#turn-003">Turn 3</a>: files' in page


def test_documents_of_the_spec_are_shown_safely(small):
    document = "# Needs\n\nLet users block users.\n\n- [ ] one <img src=x onerror=alert(1)>\n"
    (small.layout.spec("block-user") / "requirements.md").write_text(document, "utf-8")

    build(small.layout)

    page = text_of(small.layout.site / "features/block-user/index.html")
    assert "Let users block users." in page
    assert "<img" not in page
    assert "☐ one" in page


def test_links_that_lead_out_of_a_cloned_archive_are_not_followed(archive, turn, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("# Private\n\nprivate words\n", "utf-8")
    said = turn("look")
    archive.save(
        "f", [type(said)(outline=said.outline, user=said.user, assistant=(), payloads={"aa.png": b"x"})]
    )
    picture = archive.layout.session("f", "session-001") / "attachments" / "aa.png"
    picture.unlink()
    picture.symlink_to(secret)
    (archive.layout.spec("f") / "requirements.md").symlink_to(secret)

    build(archive.layout)

    copied = [
        path
        for path in archive.layout.site.rglob("*")
        if path.is_file() and b"private words" in path.read_bytes()
    ]
    assert copied == []


def test_a_folder_with_other_peoples_files_is_refused_and_left_alone(small, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", "utf-8")

    with pytest.raises(UsageError, match="not empty"):
        build(small.layout, site_dir=tmp_path / "mine")

    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_files_we_did_not_make_stay(small, tmp_path):
    build(small.layout, site_dir=tmp_path / "out")
    (tmp_path / "out" / "CNAME").write_text("example.org", "utf-8")
    small.commit("block-user", small.manifests["block-user"].sessions[:1])

    build(small.layout, site_dir=tmp_path / "out")

    assert (tmp_path / "out" / "CNAME").exists()


def test_a_state_file_cannot_name_files_outside_the_site(small, tmp_path):
    outside = tmp_path / "precious.txt"
    outside.write_text("x", "utf-8")
    build(small.layout, site_dir=tmp_path / "out")
    state = tmp_path / "out" / ".awf-site.json"
    value = json.loads(state.read_text("utf-8"))
    value["files"].append("../precious.txt")
    state.write_text(json.dumps(value), "utf-8")

    build(small.layout, site_dir=tmp_path / "out")

    assert outside.exists()


def test_a_place_that_cannot_be_written_is_one_clear_error(small, tmp_path):
    (tmp_path / "file").write_text("x", "utf-8")

    with pytest.raises((DiskError, UsageError)) as caught:
        build(small.layout, site_dir=tmp_path / "file" / "site")

    assert "file" in caught.value.message


def test_the_live_site_keeps_every_page_while_a_build_fails(small, monkeypatch):
    build(small.layout)
    before = files_of(small.layout.site)

    def broken(*_arguments: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("awf_archive.site_builder.writer.SessionWriter.write_all", broken)
    with pytest.raises(DiskError, match="No space left"):
        build(small.layout, how=How(full=True))

    assert files_of(small.layout.site) == before
    assert not list(small.layout.private.glob("site-*"))


def test_progress_counts_every_session(small):
    told = []

    build(small.layout, progress=lambda done, total: told.append((done, total)))

    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_manifest_that_lists_missing_sessions_of_the_original_skill_says_so(small):
    entries = small.manifests["block-user"].sessions
    bare = type(entries[0]).from_json(
        {"sessionId": "session-009", "globalRange": [90, 99], "status": "saved"}
    )
    small.commit("block-user", (*entries, bare))

    report = build(small.layout)

    assert report.warnings == ()
    assert isinstance(small.manifests["block-user"], Manifest)
    assert "Not on disk any more" in text_of(small.layout.site / "features/block-user/index.html")


def read_only(layout) -> None:
    """Leave no place for what is derived, as on a disk that cannot be written (root may write everywhere)."""
    shutil.rmtree(layout.private, ignore_errors=True)
    layout.private.write_text("not a folder")


def test_a_workspace_that_cannot_be_written_has_its_site_elsewhere(small, turn, tmp_path):
    read_only(small.layout)
    passing = tmp_path / "passing"
    passing.mkdir()
    target = tmp_path / "www" / "site"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(passing))
        first = build(small.layout, site_dir=target)
        small.save("block-user", [turn("one more")], title="Third")
        second = build(small.layout, site_dir=target, how=How(jobs=2))

    assert [first.sessions, second.sessions] == [3, 4]
    assert "one more" in text_of(target / "features/block-user/session-003/index.html")
    assert list(passing.iterdir()) == []
    assert small.layout.private.read_text() == "not a folder"


def test_a_workspace_beside_may_be_one_that_cannot_be_written(small, tmp_path, make_archive, turn):
    other = make_archive(tmp_path / "b")
    other.save("login", [turn("hello")], title="Elsewhere")
    read_only(other.layout)

    report = build(small.layout, how=How(beside=(other.layout,)))

    assert report.sessions == 4
    assert report.warnings == ()


def test_a_site_inside_a_workspace_that_cannot_be_written_is_one_clear_error(small):
    read_only(small.layout)

    with pytest.raises(DiskError) as problem:
        build(small.layout)

    assert "--site-dir" in str(problem.value.hint)
