"""Numbers in a text: "1 turn", "2 turns", for languages that tell one from many."""


class _Count(int):
    """A number that writes itself with the form of its noun: the format `turn|turns`."""

    def __format__(self, form: str) -> str:
        one, is_counted, many = form.partition("|")
        if not is_counted:
            return super().__format__(form)
        return f"{int(self)} {one if self == 1 else many}"


def counted(template: str, /, **values: object) -> str:
    """Return a text with its values; a number where the template has `{n:turn|turns}` brings the right noun.

    >>> counted("{n:turn|turns} in {feature}", n=1, feature="login"), counted("{n:turn|turns}", n=0)
    ('1 turn in login', '0 turns')
    >>> counted("{n} lượt", n=1)
    '1 lượt'
    """
    return template.format(**{name: _as_count(value) for name, value in values.items()})


def _as_count(value: object) -> object:
    return _Count(value) if isinstance(value, int) and not isinstance(value, bool) else value
