"""What schemathesis is told of the server under test: real accounts, rooms and ids in place of most of the generated ones.

Each operation has a world of its own, so that none spoils another's: leaving a room, or ending a session, is a test
as well. Which operations have succeeded at least once is written to the file `succeeded`.
"""

import os
import uuid
from collections import Counter
from urllib.parse import quote, unquote, urlencode

import schemathesis

from matrix import Session

BOB = Session.register(os.environ["WORDS_URL"])
CY = Session.register(os.environ["WORDS_URL"])


class World:
    """An account with a session, and a room with one more person in it."""

    known = {}

    def __init__(self, label):
        self.turns = Counter()
        self.ann = Session.register(os.environ["WORDS_URL"])
        name = uuid.uuid4().hex
        self.room = self.ann.make_room(name)
        BOB.post(f"/join/{self.room}")
        event = self.ann.say(self.room, "hello")
        self.ann.put(f"/user/{self.ann.user}/account_data/org.words.test", {"kept": True})
        self.ann.put(f"/user/{self.ann.user}/rooms/{self.room}/account_data/org.words.test", {"kept": True})
        self.place = self.ann.get("/sync")["next_batch"]
        self.path = {
            "userId": self.ann.user,
            "deviceId": self.ann.device,
            "roomId": self.room,
            "roomIdOrAlias": self.room,
            "roomAlias": f"#{name}:localhost",
            "eventId": event,
            "filterId": self.ann.post(f"/user/{self.ann.user}/filter")["filter_id"],
            "type": "org.words.test",
            "eventType": "m.room.message",
            "receiptType": "m.read",
            "keyName": "displayname",
        }
        if "/state/" in label:
            self.path |= {"eventType": "org.words.test", "stateKey": "here"}
            self.ann.put(f"/rooms/{self.room}/state/org.words.test/here", {"kept": True})

    def stays(self, part):
        """Every fourth time what has been generated for that part of a request is used as it is."""
        self.turns[part] += 1
        return self.turns[part] % 4 == 0

    @classmethod
    def of(cls, operation):
        if operation.label not in cls.known:
            cls.known[operation.label] = cls(operation.label)
        return cls.known[operation.label]


@schemathesis.auth(refresh_interval=None, cache_by_key=lambda case, context: case.operation.label)
class Token:
    def get(self, case, context):
        return World.of(case.operation).ann

    def set(self, case, session, context):
        # What ends a session gets one to end.
        spends = case.path.startswith("/_matrix/client/v3/logout")
        token = session.login().token if spends else session.token
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


@schemathesis.hook
def filter_case(context, case):
    """Longer ones the server refuses unread, with 414 or 431, and may have hung up before all is sent."""
    head = [*(case.headers or {}).items(), *(case.path_parameters or {}).items()]
    return len(urlencode(case.query or {}, doseq=True)) + len(urlencode(head)) < 6_000


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    world = World.of(context.operation)
    return {
        name: value if world.stays(name) else world.path.get(name, value)
        for name, value in (path_parameters or {}).items()
    }


@schemathesis.hook
def map_query(context, query):
    """Nobody waits for news here, and places in the stream are real ones."""
    if not query:
        return query
    world = World.of(context.operation)
    real = {"timeout": 1, "since": world.place, "from": world.place, "to": world.place, "at": world.place}
    if "/publicRooms" in context.operation.path:
        real["since"] = "n0"
    return {
        name: value if name != "timeout" and world.stays(name) else real.get(name, value)
        for name, value in query.items()
    }


@schemathesis.hook
def map_body(context, body):
    """Passwords, tokens and people that the server knows."""
    world = World.of(context.operation)
    if not isinstance(body, dict) or world.stays("body"):
        return body
    ann = world.ann
    last = context.operation.path.rsplit("/", 1)[-1]
    real = {
        "login": {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": ann.user},
            "password": ann.password,
        },
        "register": {"username": uuid.uuid4().hex, "password": "long enough", "auth": {"type": "m.login.dummy"}},
        "refresh": {"refresh_token": ann.refresh},
        "password": {"new_password": ann.password, "auth": {"type": "m.login.password", "password": ann.password}},
        "invite": {"user_id": CY.user},
        "kick": {"user_id": BOB.user},
        "ban": {"user_id": BOB.user},
        "unban": {"user_id": BOB.user},
        "{roomAlias}": {"room_id": world.room},
        "{deviceId}": {"auth": {"type": "m.login.password", "password": ann.password}},
        "delete_devices": {"devices": ["X"], "auth": {"type": "m.login.password", "password": ann.password}},
        "read_markers": {"m.fully_read": world.path["eventId"], "m.read": world.path["eventId"]},
    }
    return body | real.get(last, {})


@schemathesis.hook
def after_call(context, case, response):
    if 200 <= response.status_code < 300:
        with open("succeeded", "a", encoding="utf-8") as file:
            file.write(case.operation.label + "\n")


@schemathesis.hook
def before_call(context, case, **kwargs):
    """Undoes what the call before has done, so that this one can be done as well."""
    world, last = World.of(case.operation), case.operation.path.rsplit("/", 1)[-1]
    if last in ("leave", "forget"):
        world.ann.post(f"/join/{world.room}")
    if last == "forget":
        world.ann.post(f"/rooms/{world.room}/leave")
    if last == "unban":
        world.ann.post(f"/rooms/{world.room}/ban", {"user_id": BOB.user})
    if last in ("kick", "ban"):
        world.ann.post(f"/rooms/{world.room}/unban", {"user_id": BOB.user})
        BOB.post(f"/join/{world.room}")
    if last == "{deviceId}" and case.method == "DELETE":
        case.path_parameters["deviceId"] = world.ann.login().device
    if last == "{roomAlias}" and case.method == "DELETE":
        world.ann.put(f"/directory/room/{world.path['roomAlias']}", {"room_id": world.room})
    if last == "{roomAlias}" and case.method == "PUT":
        if unquote(case.path_parameters["roomAlias"]) == world.path["roomAlias"]:
            case.path_parameters["roomAlias"] = quote(f"#{uuid.uuid4().hex}:localhost")
