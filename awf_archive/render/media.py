"""Images and documents: shown only from our own copy, and only as types that cannot carry a script."""

from html import escape

from awf_archive.domain.transcript import Attachment, Link
from awf_archive.render.clean import one_line
from awf_archive.render.markdown import safe_href
from awf_archive.render.sheet import FILES_DIR, Sheet, element

_RASTER = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"})


def attachment(block: Attachment, sheet: Sheet) -> str:
    """Return a raster image as such, anything else (SVG and PDF too) as a link to the copy."""
    words = sheet.words.site
    name = one_line(block.name or block.file, 120)
    if block.file not in sheet.attachments:
        return element("p", f"🖼 {escape(name)} ({escape(words.image_missing)})", class_="awf-missing")
    href = f"{FILES_DIR}/{block.file}"
    if block.media_type in _RASTER:
        image = element("img", "", src=href, alt=name, loading="lazy").removesuffix("</img>")
        return f'<figure class="awf-figure">{element("a", image, href=href)}</figure>'
    label = f"📎 {name} ({block.media_type}, {block.size:,} B)"
    return f'<p class="awf-file">{element("a", escape(label), href=href, download=name)}</p>'


def link(block: Link, sheet: Sheet) -> str:
    """Return a link to what the source only points at; nothing is loaded."""
    words = sheet.words.site
    shown = escape(one_line(block.url, 300))
    href = safe_href(block.url)
    rel = "noopener noreferrer nofollow ugc"
    target = element("a", shown, href=href, rel=rel) if href else element("span", shown, class_="awf-ref")
    return f'<p class="awf-file">🔗 {target} <small>{escape(words.remote_image)}</small></p>'
