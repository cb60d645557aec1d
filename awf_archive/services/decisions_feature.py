"""Which feature a decision is recorded under when nobody names one."""

from awf_archive.brain.folder import Brain, read
from awf_archive.domain.features import DEFAULT_FEATURE
from awf_archive.domain.work_state import fields, line
from awf_archive.services.recap_archive import feature_in_work
from awf_archive.store.archive import Archive


def feature_of_work(archive: Archive) -> str:
    """Return the feature that the work state names, else the one saved last, else the common one."""
    return feature_in_work(archive, named_feature(archive)) or DEFAULT_FEATURE


def named_feature(archive: Archive) -> str:
    """Return the feature that the work state says is being worked on; "" when it says none."""
    state = fields(read(Brain(root=archive.layout.root).session).value)
    return line(fields(state.get("summary")).get("current_feature"))
