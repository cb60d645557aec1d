"""One command in a process of its own, its work counted: the same on a busy machine as on a quiet one."""

import json
import subprocess
import sys

_PROBE = """
import json, os, sys
counted = {"calls": 0, "opens": 0, "syncs": 0}
fsync = os.fsync
def counting(descriptor):
    counted["syncs"] += 1
    fsync(descriptor)
os.fsync = counting
def audit(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        counted["opens"] += not arguments[0].endswith((".py", ".pyc")) and "__pycache__" not in arguments[0]
sys.addaudithook(audit)
def profile(frame, event, argument):
    if event == "call" and not frame.f_code.co_filename.startswith("<frozen"):
        counted["calls"] += 1
def tell(code):
    sys.setprofile(None)
    modules = [one for one in sorted(sys.modules) if one not in sys.stdlib_module_names]
    told = {**counted, "code": code or 0, "modules": modules}
    print("\\n" + json.dumps(told), file=sys.stderr, flush=True)
    leave(code or 0)
leave, os._exit = os._exit, tell
from awf_archive.__main__ import main
sys.argv[0] = "awf-archive"
sys.setprofile(profile)
try:
    code = main()
except SystemExit as end:
    code = end.code
tell(code)
"""


def counted(*arguments, folder, stdin=b""):
    """Run a command; return `calls` of Python functions, `opens` of files, `syncs`, `modules`, and its `code`.

    Calls are counted after one run before, so that no module is compiled in them.
    """
    command = [sys.executable, "-c", _PROBE, *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, cwd=folder, check=False)
    return json.loads(done.stderr.splitlines()[-1])
