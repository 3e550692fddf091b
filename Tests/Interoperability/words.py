"""Words as processes: its server, and its app on a pipe."""

import json
import os
import queue
import re
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from urllib.request import Request, urlopen

from matrix import PASSWORD

PATIENCE = 30


class Unexpected(Exception):
    """Something is not as it should be; the text says what."""


def expect(truth, otherwise):
    if not truth:
        raise Unexpected(str(otherwise))


@contextmanager
def server(program):
    """Runs `words serve` with data of its own on a free loopback port, and stops it; gives its URL."""
    with tempfile.TemporaryDirectory() as data:
        command = [program, "serve", "--port", "0", "--data", data]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            said = process.stderr.readline()
            url = re.search(r"http://[\d.:]+\d", said)
            expect(url, f"words serve said: {said}")
            # What it says later is nobody's to read, and must not fill the pipe.
            threading.Thread(target=process.stderr.read, daemon=True).start()
            yield url.group()
        finally:
            process.terminate()
            process.wait(PATIENCE)


class App:
    """Somebody who uses Words, with commands from a pipe."""

    def __init__(self, program, url, home):
        command = [program, "--server", url, "--home", home]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def do(self, command, shows):
        """Gives a command, and waits for a line that has `shows` in it."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        self.see(shows)

    def see(self, text):
        seen = []
        try:
            while not seen or text not in seen[-1]:
                seen.append(self.lines.get(timeout=PATIENCE))
        except queue.Empty:
            raise Unexpected(f"Words never showed {text!r}, but: {''.join(seen)}") from None

    def quit(self):
        self.process.stdin.close()
        expect(self.process.wait(PATIENCE) == 0, f"words ended with {self.process.returncode}")


def sign_up(url, name):
    """Makes an account as Words does; returns its Matrix id and its e-mail address."""
    email = f"{name.lower()}-{os.urandom(4).hex()}@words.test"
    body = json.dumps({"name": name, "email": email, "password": PASSWORD}).encode()
    request = Request(url + "/api/users/signup", body, {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        return json.load(answer)["chatkit_id"], email
