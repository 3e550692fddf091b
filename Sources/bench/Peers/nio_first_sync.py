"""One first sync by matrix-nio: nio_first_sync.py URL USER TOKEN STORE. Prints the number of rooms."""

import asyncio
import sys

from nio import AsyncClient, SyncResponse


async def main(url: str, user: str, token: str, store: str) -> None:
    client = AsyncClient(url, user, store_path=store)
    client.restore_login(user, "BENCH", token)
    answer = await client.sync(timeout=0, sync_filter={"room": {"timeline": {"limit": 20}}})
    await client.close()
    if not isinstance(answer, SyncResponse):
        sys.exit(f"no sync: {answer}")
    print(f"{len(client.rooms)} rooms")


asyncio.run(main(*sys.argv[1:]))
