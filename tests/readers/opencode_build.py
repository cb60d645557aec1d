"""One conversation of opencode's, written in each way that opencode keeps sessions."""

import json
import sqlite3
from contextlib import closing

SCHEMA = """
CREATE TABLE `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `parent_id` text, `slug` text NOT NULL,
  `directory` text NOT NULL, `title` text NOT NULL, `version` text NOT NULL, `revert` text,
  `time_created` integer NOT NULL, `time_updated` integer NOT NULL);
CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL, `data` text NOT NULL);
CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL,
  `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL);
"""
BEGUN = 1767225600000


class Session:
    """Messages are numbered, a second apart."""

    def __init__(self, name="ses_1", title="New session - 2026-01-01", parent=None, revert=None):
        self.info = {
            "id": name,
            "version": "1.2.10",
            "projectID": "p1",
            "directory": "/srv/dev/demo",
            "title": title,
            "time": {"created": BEGUN, "updated": BEGUN},
        }
        if parent:
            self.info["parentID"] = parent
        if revert:
            self.info["revert"] = revert
        self.messages = []

    def say(self, role, *parts, **info):
        number = len(self.messages) + 1
        message = f"msg_{self.info['id'][4:]}{number:03}"
        head = {"id": message, "sessionID": self.info["id"], "role": role, **info}
        head["time"] = {"created": BEGUN + number * 1000}
        ids = {"sessionID": self.info["id"], "messageID": message}
        whole = [{"id": f"prt_{message[4:]}{place}", **ids, **part} for place, part in enumerate(parts)]
        self.messages.append((head, whole))
        return message


def text(words, **more):
    return {"type": "text", "text": words, **more}


def tool(name, call, given, output, **metadata):
    state = {"status": "completed", "input": given, "output": output, "metadata": metadata}
    return {"type": "tool", "tool": name, "callID": call, "state": state}


def export(session):
    messages = [{"info": info, "parts": parts} for info, parts in session.messages]
    return json.dumps({"info": session.info, "messages": messages}, indent=2, ensure_ascii=False).encode()


def tree(folder, *sessions):
    for session in sessions:
        write(folder / "session" / "p1" / f"{session.info['id']}.json", session.info)
        for info, parts in session.messages:
            write(folder / "message" / session.info["id"] / f"{info['id']}.json", info)
            for part in parts:
                write(folder / "part" / info["id"] / f"{part['id']}.json", part)
    return folder / "session" / "p1" / f"{sessions[0].info['id']}.json"


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def database(path, *sessions):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        for session in sessions:
            insert(connection, session)
        connection.commit()
    return path


def insert(connection, session):
    info = session.info
    revert = json.dumps(info["revert"]) if "revert" in info else None
    row = (
        info["id"],
        "p1",
        info.get("parentID"),
        "s",
        info["directory"],
        info["title"],
        info["version"],
        revert,
    )
    connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, BEGUN, BEGUN))
    for head, parts in session.messages:
        created = head["time"]["created"]
        data = {key: value for key, value in head.items() if key not in {"id", "sessionID"}}
        row = (head["id"], info["id"], created, created, json.dumps(data))
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", row)
        for part in parts:
            data = {key: value for key, value in part.items() if key not in {"id", "sessionID", "messageID"}}
            row = (part["id"], head["id"], info["id"], created, created, json.dumps(data))
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
