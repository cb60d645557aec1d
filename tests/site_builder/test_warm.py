from awf_archive.site_builder.build import build
from awf_archive.site_builder.warm import warm


def fragment_of(archive, language, feature, session):
    return archive.layout.render_cache / language / "features" / feature / session / "fragment"


def test_what_was_saved_is_rendered_in_the_site_s_languages_and_not_again_by_the_build(archive, turn):
    archive.save("login", [turn("first")])
    build(archive.layout, language="vi")
    archive.save("login", [turn("second")])

    assert warm(archive.layout, ["login"]) == 1

    made = fragment_of(archive, "vi", "login", "session-002")
    before = made.stat().st_ino
    assert build(archive.layout, language="vi").sessions == 2
    assert made.stat().st_ino == before
    page = archive.layout.site / "features/login/session-002/index.html"
    assert "second" in page.read_text("utf-8")
    assert not (archive.layout.render_cache / "en").exists()


def test_nothing_is_rendered_where_nobody_builds_a_site(archive, turn):
    archive.save("login", [turn("first")])

    assert warm(archive.layout, ["login"]) == 0

    assert not archive.layout.render_cache.exists()
