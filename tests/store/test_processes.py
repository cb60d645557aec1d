import os
import subprocess
import sys
import time

import pytest

from awf_archive.store.lock import holding
from awf_archive.store.processes import is_alive


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="zombies are told by /proc")  # noqa: PTH110
def test_a_process_that_was_killed_and_not_collected_holds_no_lock(tmp_path):
    script = (
        "import os, sys; from pathlib import Path; from awf_archive.store.lock import Lock;"
        "Lock(Path(sys.argv[1])).acquire(1); os.kill(os.getpid(), 9)"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "lock")])
    while is_alive(process.pid):  # a zombie from here on: nobody has waited for it
        time.sleep(0.01)

    started = time.monotonic()
    with holding(tmp_path / "lock", wait=5):
        taken = time.monotonic() - started

    assert taken < 2
    process.wait()
