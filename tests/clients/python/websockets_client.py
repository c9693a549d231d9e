"""The `websockets` library."""

import asyncio
import json

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from errand import Session, authorization, read_errand, realtime_url, shown, tell


async def have(errand, row, steps):
    session = Session()
    try:
        async with connect(
            realtime_url(errand, row), additional_headers=authorization(errand, row)
        ) as socket:
            for step in steps:
                await take(socket, session, step)
    except InvalidStatus as error:
        session.refused = f"{shown(error)} {json.loads(error.response.body)['error']['code']}"
    return session


async def take(socket, session, step):
    for message in step["send"]:
        await socket.send(json.dumps(session.fill_in(message)))
    try:
        while True:
            event = json.loads(await socket.recv())
            session.keep(event)
            if event["type"] == step["until"]:
                return
    except ConnectionClosed as error:
        session.ended = shown(error)


async def main():
    errand = read_errand()
    for row in errand["rows"]:
        tell(row, [await have(errand, row, steps) for steps in row["sessions"]])


asyncio.run(main())
