"""matrix-commander, a command-line client, against a server of Words'."""

import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from matrix import PASSWORD, Session
from report import Peer
from words import PATIENCE, expect


def run(url):
    what = "A command-line client: each line is a run of it. It encrypts unless told not to (`--plain`)."
    peer = Peer("matrix-commander", what)
    with tempfile.TemporaryDirectory() as folder:
        scenario(peer, Commander(folder), url)
    return peer


class Commander:
    def __init__(self, folder):
        self.files = ["-c", f"{folder}/credentials.json", "-s", f"{folder}/store"]

    def __call__(self, *arguments):
        """What it prints; it must exit with 0."""
        program = Path(sys.executable).with_name("matrix-commander")
        command = [program, *self.files, "--no-ssl", "--log-level", "ERROR", *arguments]
        run = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE)
        expect(run.returncode == 0, f"{run.stdout}{run.stderr}".strip()[-300:])
        return run.stdout


def scenario(peer, commander, url):
    ann, bob, name = Session.register(url), Session.register(url), uuid.uuid4().hex[:8]
    alias = f"#{name}:localhost"
    with peer.tries("log in, who one is, discovery"):
        who = ["--user-login", bob.user, "--password", PASSWORD, "--device", "commander"]
        commander("--login", "password", "--homeserver", url, "--room-default", alias, *who)
        expect(commander("--whoami").strip() == bob.user, "somebody else")
        expect(url in commander("--discovery-info"), "another server")
    with peer.tries("make a room, list rooms, resolve its alias"):
        room = commander("--room-create", name, "--plain", "--name", "Den", "--topic", "Tea").split()[0]
        expect(room in commander("--joined-rooms"), "not listed")
        expect(room in commander("--room-resolve-alias", alias), "another room")
    with peer.tries("invite, send"):
        commander("--room-invite", room, "--user", ann.user)
        ann.post(f"/join/{room}")
        commander("--message", "hello Ann", "--room", alias, "--sync", "full")
        chunk = ann.get(f"/rooms/{room}/messages?dir=b&limit=1")["chunk"]
        expect(chunk[0]["content"]["body"] == "hello Ann", chunk)
    with peer.tries("receive"):
        ann.say(room, "hello commander")
        expect("hello commander" in commander("--tail", "5", "--room", room), "nothing was printed")
    with peer.tries("members, room information, state"):
        expect(ann.user in commander("--joined-members", room), "not a member")
        expect("Den" in commander("--get-room-info", room), "no name")
        expect("m.room.create" in commander("--room-get-state", room), "no state")
    with peer.tries("name, presence, devices"):
        commander("--set-display-name", "Commander")
        expect("Commander" in commander("--get-display-name"), "another name")
        commander("--set-presence", "unavailable")
        expect(bob.user in commander("--get-presence"), "somebody else's")
        expect("commander" in commander("--devices"), "no device")
    with peer.tries("end a device"):
        other = bob.login()
        commander("--delete-device", other.device, "--password", PASSWORD)
        expect(other.get("/account/whoami").get("errcode") == "M_UNKNOWN_TOKEN", "still good")
    with peer.tries("join, leave, forget"):
        lobby = ann.make_room(f"lobby-{name}")
        commander("--room-join", f"#lobby-{name}:localhost")
        expect(lobby in commander("--joined-rooms"), "not joined")
        commander("--room-leave", f"#lobby-{name}:localhost")
        commander("--room-forget", lobby)
        expect(lobby not in commander("--joined-rooms"), "still there")
    with peer.tries("log out"):
        commander("--logout", "me")
