"""Exports made for tests."""

import io
import zipfile


def message(name, role, *parts):
    kind = "text" if all(isinstance(part, str) for part in parts) else "multimodal_text"
    return {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1767583930.0,
        "content": {"content_type": kind, "parts": list(parts)},
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
    }


def conversation(number, parts=None):
    """One prompt with one answer, as ChatGPT exports them."""
    asked = parts or [f"prompt {number}"]
    return {
        "title": f"t{number}",
        "create_time": 1.0,
        "update_time": 2.0,
        "mapping": {
            "u": {
                "id": "u",
                "message": message(f"u{number}", "user", *asked),
                "parent": None,
                "children": ["a"],
            },
            "a": {
                "id": "a",
                "message": message(f"a{number}", "assistant", f"answer {number}"),
                "parent": "u",
                "children": [],
            },
        },
        "current_node": "a",
        "conversation_id": f"c{number}",
    }


def packed(members, *, is_stored=False):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()
