"""Topics without a model: words and phrases that titles and summaries of several sessions share."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from awf_archive.search.stop_words import STOP_WORDS
from awf_archive.site_builder.views import SessionView
from awf_archive.site_builder.words import folded

_MOST = 60
_NAMES = 3
"""Words that name a topic, where several belong to the same sessions."""
_FEWEST_SESSIONS = 2
_SHORTEST = 4
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff][\w\u0300-\u036f]*")
_PLAIN = re.compile(rf"[a-z]\w{{{_SHORTEST - 1},}}")
_COMMON_WORDS = """
actually added again change changes continue could create done exit first hello including look next other proceed
right sample think update updated what when understand question consider example implement implemented there thing
please make sure want need also just like using used code file files help some more than only here should sessions
session turn turns this that user users test tests work does done xin vui lòng
adding adds removing remove removed removes fixing fixed fixes issue issues problem problems changed changing
updating updates creates created creating making makes made moved move moves moving takes take taken given give gives
runs running started starts start stop stopped show shows shown showing print prints read reads reading write writes
writing check checks checked checking pass passed passes passing drop dropped bump bumps bumped keep keeps
folder folders directory directories path paths name names named filename line lines list lists item items value
values version versions setting settings option options number numbers content contents information text type types
function functions method methods args self main chat chats message messages conversation conversations task tasks
command commands step steps part parts section sections detail details
each every before after instead between another following different several both same current currently simple
basic great good better best well helpful respond response reply answer answers thanks thank hello okay sure maybe
about above below still already really very much many most because then than into over under without within
http https www com org
"""
_DULL = STOP_WORDS.union(_COMMON_WORDS.split())
_PHRASES = """
thư_mục tập_tin tệp_tin phiên_bản cài_đặt thiết_lập tin_nhắn trò_chuyện người_dùng thêm_vào thay_đổi cập_nhật bắt_đầu
kiểm_tra nội_dung thông_tin vấn_đề câu_hỏi ví_dụ
文件 文件夹 目录 路径 名称 版本 设置 选项 用户 聊天 消息 会话 对话 内容 信息 问题 回答 更新 修改 添加 删除 创建 检查
开始 使用 一个 这个 可以 需要
"""
_DULL_PHRASES = frozenset(one.replace("_", " ") for one in _PHRASES.split())
_DULL_HAN = re.compile("|".join(sorted(filter(_HAN.fullmatch, _DULL_PHRASES), key=len, reverse=True)))
"""Pairs of words and runs of Han that name nothing either."""

_USER_NAME = re.compile(r"(?:[/\\-](?:home|users)[/\\-])[^/\\\s-]+|\buser\d+\b", re.IGNORECASE)
"""Whose machine it was: `/home/user50/shop`, also as Claude Code names its folders: `-home-user50-shop`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A word or phrase and the sessions that are about it."""

    name: str
    sessions: tuple[SessionView, ...]


def find_topics(sessions: Sequence[SessionView]) -> tuple[Topic, ...]:
    """Return the words that at least two sessions share, the most shared first.

    A word that always comes inside the same longer phrase is told by the phrase; words of the very same sessions are
    one topic.
    """
    shown: dict[str, str] = {}
    found: dict[str, list[SessionView]] = {}
    for session in sessions:
        for key, name in _named(_text(session)):
            if key not in found:
                found[key], shown[key] = [], name
            found[key].append(session)
    limit = max(_FEWEST_SESSIONS, len(sessions) // 2)
    shared = {
        key: tuple(those) for key, those in found.items() if _FEWEST_SESSIONS <= len(those) <= max(limit, 3)
    }
    ranked = sorted(shared, key=lambda key: (-len(shared[key]), -len(key), key))
    kept: dict[tuple[int, ...], list[str]] = {}
    for key in ranked:
        if len(kept) == _MOST:
            break
        if not any(_tells_the_same(key, other, shared) for other in (*chain(*kept.values()), *ranked[:200])):
            kept.setdefault(tuple(map(id, shared[key])), []).append(key)
    return tuple(
        Topic(name=" · ".join(shown[key] for key in keys[:_NAMES]), sessions=shared[keys[0]])
        for keys in kept.values()
    )


def _tells_the_same(key: str, other: str, shared: dict[str, tuple[SessionView, ...]]) -> bool:
    return key != other and key in other and len(shared[key]) == len(shared[other])


def _text(session: SessionView) -> str:
    facts = session.facts
    return _USER_NAME.sub(" ", " . ".join((facts.title, *facts.topics))) if facts else ""


def _named(text: str) -> Iterable[tuple[str, str]]:
    """Return what tells each word or phrase of a text from others, with the phrase; each once."""
    if text.isascii():  # most are, and 5 000 of them take half the time this way
        plain = set(_PLAIN.findall(text.lower())) - _DULL
        return zip(plain, plain, strict=True)
    return {name if name.isascii() else folded(name): name for name in _phrases(text)}.items()


def _phrases(text: str) -> Iterator[str]:
    """Yield words, pairs of neighbouring words with marks (a Vietnamese word is often two), and runs of Han.

    >>> list(_phrases("thêm xác thực 数据库"))
    ['thêm xác', 'xác thực', '数据', '据库', '数据库']
    """
    words = [
        (match[0], match.start(), match.end())
        for match in _WORD.finditer(text.lower())
        if match[0] not in _DULL
    ]
    for word, _, _ in words:
        if len(word) >= _SHORTEST and word.isascii():
            yield word
    for (one, _, end), (two, start, _) in () if text.isascii() else pairwise(words):
        pair = f"{one} {two}"
        if start - end == 1 and not pair.isascii() and pair not in _DULL_PHRASES:
            yield pair
    for run in _HAN.findall(_DULL_HAN.sub(" ", text)):
        for size in (2, 3, 4):
            for at in range(len(run) - size + 1):
                if not STOP_WORDS.intersection(run[at : at + size]):
                    yield run[at : at + size]
