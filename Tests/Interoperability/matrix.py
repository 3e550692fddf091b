"""As much of a Matrix client as it takes to prepare a test."""

import json
import time
import uuid
from dataclasses import dataclass
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

PASSWORD = "a password that is long"


@dataclass
class Session:
    url: str
    user: str
    device: str
    token: str
    refresh: str
    password: str

    @classmethod
    def register(cls, url, password=PASSWORD):
        body = {"username": f"user-{uuid.uuid4().hex[:12]}", "password": password, "refresh_token": True}
        answer = call(url, "POST", "/register", body | {"auth": {"type": "m.login.dummy"}})
        return cls.opened(url, answer, password)

    @classmethod
    def opened(cls, url, answer, password):
        return cls(
            url, answer["user_id"], answer["device_id"], answer["access_token"], answer["refresh_token"], password
        )

    @staticmethod
    def listed(url, name):
        """The id of the room of that name in the public list."""
        chunk = call(url, "GET", "/publicRooms", None)["chunk"]
        return next(room["room_id"] for room in chunk if room.get("name") == name)

    def login(self):
        """One more session of the same person."""
        identifier = {"type": "m.id.user", "user": self.user}
        body = {"type": "m.login.password", "identifier": identifier, "password": self.password, "refresh_token": True}
        return self.opened(self.url, call(self.url, "POST", "/login", body), self.password)

    def get(self, path):
        return call(self.url, "GET", path, None, self.token)

    def put(self, path, body):
        return call(self.url, "PUT", path, body, self.token)

    def post(self, path, body=None):
        return call(self.url, "POST", path, body or {}, self.token)

    def make_room(self, name):
        """A room that anybody may join and find, called #name."""
        body = {"preset": "public_chat", "visibility": "public", "name": name, "room_alias_name": name}
        return self.post("/createRoom", body)["room_id"]

    def say(self, room, text):
        path = f"/rooms/{room}/send/m.room.message/{uuid.uuid4().hex}"
        return self.put(path, {"msgtype": "m.text", "body": text})["event_id"]


def call(url, method, path, body, token=None):
    """The answer, whatever it says; but where it says to wait, that of a later try."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    target = url + "/_matrix/client/v3" + quote(path, safe="/?=&")
    for _ in range(10):
        try:
            with urlopen(Request(target, data, headers, method=method)) as answer:
                return json.load(answer)
        except HTTPError as answer:
            said = json.load(answer)
            if answer.code != 429:
                break
            time.sleep(min(int(answer.headers.get("Retry-After", 1)), 10))
    return said
