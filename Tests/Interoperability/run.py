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
    return 0 if all(peer.works for peer in peers) else 1


if len(sys.argv) != 3:
    sys.exit(__doc__)
sys.exit(main(*sys.argv[1:]))
