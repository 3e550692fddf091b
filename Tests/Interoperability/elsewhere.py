"""Somebody who uses Words and somebody who uses matrix-nio chat on a homeserver that is not Words' own.

    elsewhere.py WORDS URL [DOCUMENT]

Exits with 1, and the reason, where that does not work. The homeserver lets people register. What was tried goes into the
table of that homeserver in DOCUMENT.
"""

import asyncio
import sys
from importlib.metadata import version
from pathlib import Path

import report
import with_nio

if len(sys.argv) not in (3, 4):
    sys.exit(__doc__)
asyncio.run(with_nio.elsewhere(*sys.argv[1:3]))
print("Words and matrix-nio have talked to each other.")
if len(sys.argv) == 4:
    what = f"a direct chat between somebody who uses Words and somebody who uses matrix-nio {version('matrix-nio')}"
    report.add_row(Path(sys.argv[3]), what, "works")
