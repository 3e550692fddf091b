"""Makes a large account in a Synapse.

    large-account.py sign-up URL DATABASE
    large-account.py fill DATABASE ROOMS PEOPLE

The first makes the account `host`, with a room called Pattern and one called Hall, on a server that runs. The second, once
that does not run any more, writes into its database: `host` is in ROOMS more rooms then, which are copies of the first and
called Room 1 and so on, and with PEOPLE more in the second. Through the API that takes a tenth of a second for each. The
events have the ids that Synapse would give them, but no signatures: a server does not check those of its own.
"""

import json
import sqlite3
import sys
import time
import urllib.request

from synapse.api.room_versions import KNOWN_ROOM_VERSIONS
from synapse.events import make_event_from_dict

# The columns whose values belong to one room, by what they are.
EVENTS = {"event_id", "prev_event_id", "auth_id", "membership_event_id"}
ORDERS = {"stream_ordering", "event_stream_ordering", "bump_stamp", "completed_delta_stream_id"}
GROUPS = {"state_group", "prev_state_group"}
CHAINS = {"chain_id", "origin_chain_id", "target_chain_id"}
# Those that say nothing of their room, and the column that leads there.
INDIRECT = {
    "event_to_state_groups": "event_id",
    "event_edges": "event_id",
    "event_auth_chains": "event_id",
    "event_auth_chain_links": "origin_chain_id",
    "state_group_edges": "state_group",
}


def select(sql, *values):
    return database.execute(sql, values).fetchall()


def one(sql, *values):
    return database.execute(sql, values).fetchone()[0]


def insert(table, row):
    marks = ",".join("?" * len(row))
    database.execute(f"INSERT INTO {table} ({','.join(row)}) VALUES ({marks})", list(row.values()))


def rows(table, column, values):
    cursor = database.execute(f"SELECT * FROM {table} WHERE {column} IN ({','.join('?' * len(values))})", values)
    names = [field[0] for field in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def named(name):
    return one("SELECT room_id FROM room_stats_state WHERE name = ?", name)


def event_id(event, version):
    return make_event_from_dict(event, KNOWN_ROOM_VERSIONS[version]).event_id


class Pattern:
    """A room with all rows that speak of it, to be copied."""

    def __init__(self, room):
        self.room = room
        self.version = one("SELECT room_version FROM rooms WHERE room_id = ?", room)
        self.events = [
            (old, json.loads(text))
            for old, text in select(
                "SELECT event_id, json FROM events JOIN event_json USING (event_id) WHERE events.room_id = ? "
                "ORDER BY stream_ordering",
                room,
            )
        ]
        ids = [old for old, _ in self.events]
        groups = [row[0] for row in select("SELECT id FROM state_groups WHERE room_id = ?", room)]
        chains = [row["chain_id"] for row in rows("event_auth_chains", "event_id", ids)]
        keys = {"event_id": ids, "state_group": groups, "origin_chain_id": chains}
        self.tables = {}
        for (table,) in select("SELECT name FROM sqlite_master WHERE type = 'table'"):
            columns = [row[1] for row in select(f"SELECT * FROM pragma_table_info('{table}')")]
            if table in INDIRECT:
                self.tables[table] = rows(table, INDIRECT[table], keys[INDIRECT[table]])
            elif "room_id" in columns and not table.startswith("event_search"):
                self.tables[table] = rows(table, "room_id", [room])

    def copy(self, number, orders, groups, chains):
        """All counters go up by as much as the pattern has used."""
        room, name = f"!copy{number}:localhost", f"Room {number}"
        ids = {}
        for old, event in self.events:
            event = {**event, "room_id": room}
            event["prev_events"] = [ids[id] for id in event["prev_events"]]
            event["auth_events"] = [ids[id] for id in event["auth_events"]]
            if event["type"] == "m.room.name":
                event["content"] = {"name": name}
            ids[old] = event_id(event, self.version)
            self.texts[ids[old]] = json.dumps(event)
        for table, old_rows in self.tables.items():
            for row in old_rows:
                insert(table, self.moved(table, row, room, name, ids, orders, groups, chains))

    texts = {}

    def moved(self, table, row, room, name, ids, orders, groups, chains):
        new = dict(row)
        for column, value in row.items():
            if value is None:
                continue
            if column == "room_id":
                new[column] = room
            elif column in EVENTS:
                new[column] = ids[value]
            elif column in ORDERS or (table, column) == ("current_state_delta_stream", "stream_id"):
                new[column] = value + orders
            elif column in GROUPS or (table, column) == ("state_groups", "id"):
                new[column] = value + groups
            elif column in CHAINS:
                new[column] = value + chains
            elif column in ("name", "room_name") and value == "Pattern":
                new[column] = name
        if table == "event_json":
            new["json"] = self.texts[new["event_id"]]
        return new


def fill(room, people):
    """Lets people into `room`, one after another."""
    version = one("SELECT room_version FROM rooms WHERE room_id = ?", room)
    state = {
        type: id for type, key, id in select("SELECT type, state_key, event_id FROM current_state_events WHERE room_id = ?", room)
        if not key
    }
    auth = [state[type] for type in ("m.room.create", "m.room.power_levels", "m.room.join_rules") if type in state]
    previous, depth, time = select(
        "SELECT event_id, depth, origin_server_ts FROM events WHERE room_id = ? ORDER BY stream_ordering DESC LIMIT 1", room
    )[0]
    order = one("SELECT max(stream_ordering) FROM events")
    old_group = one("SELECT state_group FROM event_to_state_groups WHERE event_id = ?", previous)
    group = one("SELECT max(id) FROM state_groups") + 1
    for number in range(1, people + 1):
        person = f"@guest{number}:localhost"
        depth, order = depth + 1, order + 1
        event = {
            "type": "m.room.member", "room_id": room, "sender": person, "state_key": person, "depth": depth,
            "content": {"membership": "join", "displayname": f"Guest {number}"}, "prev_events": [previous],
            "auth_events": auth, "origin_server_ts": time, "hashes": {}, "signatures": {}, "unsigned": {},
        }
        id = event_id(event, version)
        common = {"event_id": id, "room_id": room}
        member = {**common, "event_stream_ordering": order, "membership": "join"}
        insert("events", {
            **common, "stream_ordering": order, "topological_ordering": depth, "depth": depth, "type": "m.room.member",
            "state_key": person, "sender": person, "processed": 1, "outlier": 0, "origin_server_ts": time,
            "received_ts": time, "contains_url": 0, "instance_name": "master",
        })
        insert("event_json", {
            **common, "internal_metadata": "{}", "json": json.dumps(event),
            "format_version": KNOWN_ROOM_VERSIONS[version].event_format,
        })
        insert("state_events", {**common, "type": "m.room.member", "state_key": person})
        insert("current_state_events", {**member, "type": "m.room.member", "state_key": person})
        insert("room_memberships", {
            **member, "user_id": person, "sender": person, "forgotten": 0, "display_name": f"Guest {number}",
        })
        insert("local_current_membership", {**member, "user_id": person})
        insert("event_edges", {"event_id": id, "prev_event_id": previous, "is_state": 0})
        insert("event_to_state_groups", {"event_id": id, "state_group": group})
        insert("state_groups_state", {
            **common, "state_group": group, "type": "m.room.member", "state_key": person,
        })
        previous = id
    # One group for all of them: who came later stands in the state of who came before, which nobody looks at.
    insert("state_groups", {"id": group, "room_id": room, "event_id": previous})
    database.execute(
        "INSERT INTO state_groups_state SELECT ?, room_id, type, state_key, event_id FROM current_state_events "
        "WHERE room_id = ? AND state_key NOT LIKE '@guest%'", (group, room))
    database.execute("UPDATE event_forward_extremities SET event_id = ? WHERE room_id = ?", (previous, room))
    database.execute(
        "UPDATE room_stats_current SET joined_members = joined_members + ?, local_users_in_room = local_users_in_room + ?, "
        "current_state_events = current_state_events + ?, completed_delta_stream_id = ? WHERE room_id = ?",
        (people, people, people, order, room))


def highest(table, column):
    return one(f"SELECT max({column}) FROM {table}")


def sign_up(base):
    def post(path, content, token=None):
        request = urllib.request.Request(f"{base}/_matrix/client/v3/{path}", json.dumps(content).encode())
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        return json.load(urllib.request.urlopen(request))

    auth = {"type": "m.login.dummy"}
    account = post("register", {"username": "host", "password": "secret-of-this-person", "auth": auth})
    # In version 12 the id of a room is that of its first event.
    for name, preset in (("Pattern", "private_chat"), ("Hall", "public_chat")):
        post("createRoom", {"name": name, "preset": preset, "room_version": "11"}, account["access_token"])
    # What is counted of rooms is written a moment later.
    counted = (
        "SELECT count(*) FROM room_stats_state JOIN room_stats_current USING (room_id) "
        "WHERE name IN ('Pattern', 'Hall') AND joined_members = 1"
    )
    for _ in range(300):
        if one(counted) == 2:
            return
        time.sleep(0.1)
    sys.exit("Synapse has not counted its rooms.")


def enlarge(rooms, people):
    pattern = Pattern(named("Pattern"))
    counters = [("events", "stream_ordering"), ("state_groups", "id"), ("event_auth_chains", "chain_id")]
    steps = [highest(*counter) for counter in counters]
    for number in range(1, rooms + 1):
        pattern.copy(number, *(step * number for step in steps))
    fill(named("Hall"), people)
    last = highest("events", "stream_ordering")
    database.execute("UPDATE stream_positions SET stream_id = ? WHERE stream_name = 'events'", (last,))
    database.execute("UPDATE stats_incremental_position SET stream_id = ?", (last,))
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


if sys.argv[1] == "sign-up":
    database = sqlite3.connect(sys.argv[3], timeout=30)
    sign_up(sys.argv[2])
else:
    database = sqlite3.connect(sys.argv[2])
    enlarge(int(sys.argv[3]), int(sys.argv[4]))
