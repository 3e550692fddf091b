"""All operations of the Matrix specification that Words serves, tried by schemathesis from the description of it."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from report import Peer
from words import Unexpected, expect

HERE = Path(__file__).parent
CHECKS = {
    "not_a_server_error": "no server error",
    "content_type_conformance": "the content type",
    "response_schema_conformance": "the answer's schema",
    "ignored_auth": "authentication really needed",
}
# As many examples of each operation as leave the run well within its time, the same ones each time.
EXAMPLES, SEED, LONGEST = 10, 1, 170
# Words keeps no backups of keys, and says so.
NEVER = {"GET /_matrix/client/v3/room_keys/version"}


def run(url):
    what = "Generates requests from the OpenAPI description of the client-server API, good and bad ones, with real ids."
    peer = Peer("schemathesis", what)
    operations = json.loads((HERE / "matrix-operations.json").read_text())["paths"]
    labels = {f"{method.upper()} {path}" for path, operation in operations.items() for method in operation}
    with peer.tries(f"{len(labels)} operations; checked: {', '.join(CHECKS.values())}"):
        unreached = sorted(labels - check(url) - NEVER)
        expect(not unreached, f"nothing is shown of what never succeeded: {', '.join(unreached)}")
    return peer


def check(url):
    """The operations that have succeeded; throws where there is a finding."""
    command = [Path(sys.executable).with_name("schemathesis"), "run", HERE / "matrix-operations.json", "--url", url]
    command += ["--checks", ",".join(CHECKS), "--phases", "coverage,fuzzing", "--max-examples", str(EXAMPLES)]
    command += ["--seed", str(SEED), "--generation-database", "none", "--no-shrink", "--continue-on-failure"]
    command += ["--rate-limit", "auto", "--workers", "1", "--no-color", "--warnings", "off"]
    # Else it sends tokens that it has seen in answers, and takes their being good for a finding.
    command += ["--generation-with-security-parameters", "false"]
    paths = {"PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "hooks", "WORDS_URL": url}
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            command, cwd=folder, env=os.environ | paths, capture_output=True, text=True, timeout=LONGEST
        )
        succeeded = set((Path(folder) / "succeeded").read_text(encoding="utf-8").splitlines())
    if run.returncode != 0:
        print(run.stdout, run.stderr, sep="\n")
        raise Unexpected("there are findings; the run has printed them")
    return succeeded
