"""awf-archive keeps every conversation with AI assistants and makes it useful again.

What programs use is at hand here and loaded with its first use, so that starting stays quick:

>>> from awf_archive import AutoCheckpoint, make_recap, on_message
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from awf_archive.brain.backends import open_backend as open_backend
    from awf_archive.services.auto_checkpoint import AutoCheckpoint as AutoCheckpoint
    from awf_archive.services.auto_checkpoint import AutoCheckpointSettings as AutoCheckpointSettings
    from awf_archive.services.auto_checkpoint import Captured as Captured
    from awf_archive.services.auto_checkpoint import resume_session as resume_session
    from awf_archive.services.auto_checkpoint_workspace import auto_checkpoint as auto_checkpoint
    from awf_archive.services.autosave import Place as Place
    from awf_archive.services.autosave import on_cleared as on_cleared
    from awf_archive.services.autosave import on_message as on_message
    from awf_archive.services.autosave import on_reply as on_reply
    from awf_archive.services.autosave import on_request as on_request
    from awf_archive.services.autosave import on_workflow_end as on_workflow_end
    from awf_archive.services.checkpoint import checkpoint as checkpoint
    from awf_archive.services.recap import make_recap as make_recap
    from awf_archive.services.recap_topic import recap_topic as recap_topic
    from awf_archive.services.resume import resume as resume
    from awf_archive.store.archive import Archive as Archive
    from awf_archive.store.layout import Layout as Layout

__version__ = "0.1.0"

_HOMES = {
    "Archive": "store.archive",
    "AutoCheckpoint": "services.auto_checkpoint",
    "AutoCheckpointSettings": "services.auto_checkpoint",
    "Captured": "services.auto_checkpoint",
    "Layout": "store.layout",
    "Place": "services.autosave",
    "auto_checkpoint": "services.auto_checkpoint_workspace",
    "checkpoint": "services.checkpoint",
    "make_recap": "services.recap",
    "on_cleared": "services.autosave",
    "on_message": "services.autosave",
    "on_reply": "services.autosave",
    "on_request": "services.autosave",
    "on_workflow_end": "services.autosave",
    "open_backend": "brain.backends",
    "recap_topic": "services.recap_topic",
    "resume": "services.resume",
    "resume_session": "services.auto_checkpoint",
}
"""What is offered to programs, and the module where it lives."""

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - the table above holds the names


def __getattr__(name: str) -> object:
    """Load what is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
