"""All operations of the Matrix specification that Words serves, tried by schemathesis from the specification's description."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from report import Peer

HERE = Path(__file__).parent
CHECKS = {
    "not_a_server_error": "no server error",
    "content_type_conformance": "the content type",
    "response_schema_conformance": "the answer's schema",
    "ignored_auth": "authentication really needed",
}
# As many examples of each operation as leave the run well within its time, the same ones each time.
EXAMPLES, SEED, LONGEST = 10, 1, 170


def run(url):
    what = "Generates requests from the OpenAPI description of the client-server API, good and bad ones, with real ids."
    peer = Peer("schemathesis", what)
    operations = json.loads((HERE / "matrix-operations.json").read_text())["paths"]
    count = sum(len(operation) for operation in operations.values())
    with peer.tries(f"{count} operations; checked: {', '.join(CHECKS.values())}"):
        check(url)
    return peer


def check(url):
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
    if run.returncode != 0:
        print(run.stdout, run.stderr, sep="\n")
        raise RuntimeError("there are findings; the run has printed them")
