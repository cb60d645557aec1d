"""The files of the made-up shop that the sample's tools read, write and print."""

import zlib

CALLBACK_BEFORE = """\
from flask import Blueprint, request

from shop.orders import mark_paid
from shop.payments.gateway import verify_signature

bp = Blueprint("payments", __name__)


@bp.post("/payments/callback")
def callback():
    payload = request.get_json()
    if not verify_signature(payload):
        return {"error": "bad signature"}, 400
    mark_paid(payload["order_id"], payload["amount"])
    return {"ok": True}
"""

RETRY = '''\
"""Payment callbacks: each transaction once, failed ones again with growing pauses."""

import logging
import random
from datetime import timedelta

from shop.orders import mark_paid

log = logging.getLogger(__name__)

BASE = timedelta(seconds=30)
FACTOR = 4
MAX_ATTEMPTS = 6
GIVE_UP_AFTER = timedelta(hours=24)


def delay(attempt: int, rng: random.Random | None = None) -> timedelta:
    """Return the pause before `attempt` (1 is the first retry), with 20 % of jitter either way."""
    pause = BASE * FACTOR ** (attempt - 1)
    jitter = (rng or random).uniform(0.8, 1.2)
    return pause * jitter


def record_event(db, transaction_id: str, payload: dict) -> bool:
    """Store a callback; return whether it is the first with this transaction id."""
    db.execute(
        "INSERT INTO payment_events (transaction_id, payload) VALUES (%s, %s) "
        "ON CONFLICT (transaction_id) DO NOTHING",
        (transaction_id, payload),
    )
    return True


def retry_failed_callbacks(db, now) -> None:
    """Try again what is due; the scheduler calls this every 30 seconds."""
    for event in db.events_due(now, GIVE_UP_AFTER, MAX_ATTEMPTS):
        mark_paid(event.order_id, event.amount)
        db.finish(event)
'''

CHECK_BEFORE = """\
    mark_paid(payload["order_id"], payload["amount"])
"""

CHECK_AFTER = """\
    if not record_event(db, payload["transaction_id"], payload):
        return {"ok": True, "duplicate": True}
    mark_paid(payload["order_id"], payload["amount"])
"""

RECORD_BEFORE = """\
    db.execute(
        "INSERT INTO payment_events (transaction_id, payload) VALUES (%s, %s) "
        "ON CONFLICT (transaction_id) DO NOTHING",
        (transaction_id, payload),
    )
    return True"""

RECORD_AFTER = """\
    row = db.execute(
        "INSERT INTO payment_events (transaction_id, payload) VALUES (%s, %s) "
        "ON CONFLICT (transaction_id) DO NOTHING RETURNING id",
        (transaction_id, payload),
    ).fetchone()
    return row is not None"""

TESTS = """\
import random
from datetime import timedelta

from shop.payments import retry


def test_the_same_callback_three_times_marks_the_order_paid_once(client, db, signed):
    for _ in range(3):
        assert client.post("/payments/callback", json=signed("TX-1001", 250_000)).status_code == 200

    assert db.count("payment_events") == 1
    assert db.stock_of("ao-dai-xanh") == 9  # 10 trước khi bán


def test_pauses_grow_and_stay_under_24_hours():
    rng = random.Random(7)
    pauses = [retry.delay(attempt, rng) for attempt in range(1, retry.MAX_ATTEMPTS + 1)]

    assert pauses == sorted(pauses)
    assert sum(pauses, timedelta()) < retry.GIVE_UP_AFTER


def test_a_callback_older_than_24_hours_goes_to_the_dead_letters(client, db, signed):
    client.post("/payments/callback", json=signed("TX-0007", 99_000, hours_ago=25))

    assert db.count("payment_dead_letters") == 1
"""

FAILED = """\
Exit code 1
F..                                                                      [100%]
=================================== FAILURES ===================================
_______ test_the_same_callback_three_times_marks_the_order_paid_once _______

    def test_the_same_callback_three_times_marks_the_order_paid_once(client, db, signed):
        for _ in range(3):
            assert client.post("/payments/callback", json=signed("TX-1001", 250_000)).status_code == 200

        assert db.count("payment_events") == 1
>       assert db.stock_of("ao-dai-xanh") == 9  # 10 trước khi bán
E       AssertionError: assert 7 == 9

tests/payments/test_retry.py:12: AssertionError
=========================== short test summary info ============================
FAILED tests/payments/test_retry.py::test_the_same_callback_three_times_marks_the_order_paid_once
1 failed, 2 passed in 0.84s"""

PASSED = """\
...                                                                      [100%]
3 passed in 0.79s"""

SCHEDULER = """\
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler

from shop.jobs import nightly_report, restock_alert

scheduler = BackgroundScheduler(jobstores={"default": SQLAlchemyJobStore(url=DATABASE_URL)})
scheduler.add_job(nightly_report, "cron", hour=1)
scheduler.add_job(restock_alert, "interval", minutes=30)
"""

JOB_BEFORE = 'scheduler.add_job(restock_alert, "interval", minutes=30)\n'

JOB_AFTER = JOB_BEFORE + (
    'scheduler.add_job(retry_failed_callbacks, "interval", seconds=30, max_instances=1, coalesce=True)\n'
)

LOG_BEFORE = "        mark_paid(event.order_id, event.amount)\n"

LOG_AFTER = (
    '        log.info("payment callback %s: attempt %d of %d", event.transaction_id, event.attempt, MAX_ATTEMPTS)\n'
    + LOG_BEFORE
)


def numbered(text: str) -> str:
    """Return a file as the Read tool shows it."""
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(text.splitlines(), 1))


def read_result(path: str, text: str) -> dict[str, object]:
    """Return what the Read tool keeps of a file."""
    count = len(text.splitlines())
    file = {"filePath": path, "content": text, "numLines": count, "startLine": 1, "totalLines": count}
    return {"type": "text", "file": file}


def edit_result(path: str, old: str, new: str) -> dict[str, object]:
    """Return what the Edit tool keeps of a change."""
    before, after = old.splitlines(), new.splitlines()
    marked = [f"-{line}" for line in before] + [f"+{line}" for line in after]
    hunk = {"oldStart": 1, "oldLines": len(before), "newStart": 1, "newLines": len(after), "lines": marked}
    kept = {"filePath": path, "oldString": old, "newString": new, "structuredPatch": [hunk]}
    return kept | {"userModified": False, "replaceAll": False}


def chart() -> bytes:
    """Return a small PNG: requests per hour in blue, errors 502 in red, a peak at 21:00."""
    width, height = 120, 64
    errors = [0, 0, 0, 1, 0, 0, 1, 2, 1, 0, 1, 0, 1, 2, 1, 0, 2, 3, 5, 12, 30, 44, 18, 4]
    requests = [6, 4, 3, 3, 4, 6, 10, 18, 26, 30, 32, 34, 38, 34, 32, 34, 38, 42, 48, 52, 56, 58, 44, 20]
    rows = bytearray()
    for y in range(height):
        pixels = [_colour(x, height - y, requests, errors) for x in range(width)]
        rows.append(0)
        rows += bytes(_four(pixels[x : x + 4]) for x in range(0, width, 4))
    palette = bytes((255, 255, 255, 66, 133, 244, 219, 68, 55, 120, 120, 120))
    header = width.to_bytes(4) + height.to_bytes(4) + bytes((2, 3, 0, 0, 0))
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", _stored(bytes(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in chunks)


def _colour(x: int, level: int, requests: list[int], errors: list[int]) -> int:
    """Return the palette index of one pixel: axis, error, request or paper."""
    hour, inside = divmod(x, 5)
    if level <= 1:
        return 3
    if inside == 4:  # noqa: PLR2004 -- the gap between two bars
        return 0
    return 2 if errors[hour] >= level else int(requests[hour] >= level)


def _four(pixels: list[int]) -> int:
    """Pack four pixels of two bits into a byte."""
    return pixels[0] << 6 | pixels[1] << 4 | pixels[2] << 2 | pixels[3]


def _stored(data: bytes) -> bytes:
    """Return a zlib stream that is not compressed: the same bytes from every version of zlib."""
    size = len(data)
    block = b"\x01" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + data
    return b"\x78\x01" + block + zlib.adler32(data).to_bytes(4)


def _chunk(kind: bytes, data: bytes) -> bytes:
    """Return one chunk of a PNG."""
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)
