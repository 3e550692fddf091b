"""Somebody who uses Words and somebody who uses matrix-nio chat on a homeserver that is not Words' own.

    elsewhere.py WORDS URL

Exits with 1, and the reason, where that does not work. The homeserver lets people register.
"""

import asyncio
import sys

import with_nio

if len(sys.argv) != 3:
    sys.exit(__doc__)
asyncio.run(with_nio.elsewhere(*sys.argv[1:]))
print("Words and matrix-nio have talked to each other.")
