"""Plays other people's clients against the embedded server, and writes what works into a document.

    run.py WORDS DOCUMENT

Exits with 1 where anything does not work.
"""

import sys
from pathlib import Path

import by_description
import report
import with_commander
import with_nio
import words


def main(program, document):
    with words.server(program) as url:
        peers = [with_nio.run(program, url), with_commander.run(url), by_description.run(url)]
    report.write(peers, Path(document))
    outcomes = [outcome for peer in peers for _, outcome in peer.rows]
    failed = len([outcome for outcome in outcomes if outcome != "works"])
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed or not all(peer.rows for peer in peers) else 0


if len(sys.argv) != 3:
    sys.exit(__doc__)
sys.exit(main(*sys.argv[1:]))
