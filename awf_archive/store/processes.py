"""Whether a process lives; loads nothing, for hooks ask too."""

import os


def is_alive(pid: int) -> bool:
    """Whether a process of this machine lives. One that ended and was not collected yet is dead: a zombie.

    In a container whose first process collects nobody, zombies stay for ever and still answer signals.

    >>> is_alive(os.getpid()), is_alive(2**22 + 1)
    (True, False)
    """
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib is 5 ms of a hook's time
            state = file.read().rpartition(b")")[2].split()[:1]
    except OSError:
        return True
    return state != [b"Z"]
