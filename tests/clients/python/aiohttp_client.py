"""The WebSocket client of `aiohttp`."""

import asyncio
import json

import aiohttp

from errand import Session, authorization, read_errand, realtime_url, shown, tell


async def have(http, errand, row, steps):
    session = Session()
    try:
        async with http.ws_connect(
            realtime_url(errand, row), headers=authorization(errand, row)
        ) as socket:
            for step in steps:
                await take(socket, session, step)
    except aiohttp.WSServerHandshakeError as error:
        session.refused = f"{type(error).__name__}: {error.status}, {error.message}"
    return session


async def take(socket, session, step):
    for message in step["send"]:
        await socket.send_json(session.fill_in(message))
    while True:
        message = await socket.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            session.ended = f"{message.type.name} {message.data} {message.extra or ''}".strip()
            return
        event = json.loads(message.data)
        session.keep(event)
        if event["type"] == step["until"]:
            return


async def main():
    errand = read_errand()
    async with aiohttp.ClientSession() as http:
        for row in errand["rows"]:
            tell(row, [await have(http, errand, row, steps) for steps in row["sessions"]])


asyncio.run(main())
