"""Names of folders on the site, for whoever builds it and whoever links to it."""

import re
import unicodedata
from hashlib import blake2b

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


def slug(name: str) -> str:
    """Return a folder name for any name: ASCII, lower case, and no two alike on any file system.

    A name that is already safe stays as it is. Others get `~` and a digest, which no safe name holds.

    >>> slug("block-user"), slug("Block User"), slug("đăng nhập")
    ('block-user', 'block-user~9a8aee377a', 'dang-nhap~f9b1cd589c')
    """
    if _SAFE.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name.casefold().replace("đ", "d"))
    words = re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode())
    digest = blake2b(name.encode(errors="surrogatepass"), digest_size=5).hexdigest()
    return f"{'-'.join(words)[:40].strip('-') or 'x'}~{digest}"


def feature_folder(feature: str) -> str:
    """Return a feature's folder on the site."""
    return f"features/{slug(feature)}"


def session_folder(feature: str, session: str) -> str:
    """Return a session's folder on the site."""
    return f"{feature_folder(feature)}/{slug(session)}"
