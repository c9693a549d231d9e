"""`AsyncOpenAI(...).realtime.connect` of the `openai` package."""

import asyncio

from openai import AsyncOpenAI
from websockets.exceptions import ConnectionClosed, InvalidStatus

from errand import Session, read_errand, shown, tell
from openai_errand import method_for, refusal


async def main():
    errand = read_errand()
    for row in errand["rows"]:
        client = AsyncOpenAI(base_url=errand["base"], api_key=row.get("key", errand["key"]))
        model = row.get("model", errand["model"])
        if row.get("reconnects"):
            tell(row, await have_one_after_the_other(client, model, row["sessions"]))
        else:
            tell(row, [await have(client, model, steps) for steps in row["sessions"]])


async def have(client, model, steps):
    session = Session()
    try:
        async with client.realtime.connect(model=model) as connection:
            for step in steps:
                await take(connection, session, step)
    except InvalidStatus as error:
        session.refused = refusal(error)
    except ConnectionClosed as error:
        session.ended = shown(error)
    return session


async def take(connection, session, step):
    await say(connection, session, step)
    async for event in connection:
        session.keep(event.to_dict())
        if event.type == step["until"]:
            return
    session.ended = "the iteration ends"


async def say(connection, session, step):
    for message in step["send"]:
        method, arguments = method_for(connection, session.fill_in(message))
        await method(**arguments)


async def have_one_after_the_other(client, model, sessions):
    """All on one connection, which the library opens again: a session that is created begins the next."""
    seen = []
    steps = []
    async with client.realtime.connect(model=model, on_reconnecting=lambda _: None) as connection:
        async for event in connection:
            if event.type == "session.created":
                seen.append(Session())
                steps = list(sessions[len(seen) - 1])
            seen[-1].keep(event.to_dict())
            if steps and event.type == steps[0]["until"]:
                steps.pop(0)
                if not steps:
                    return seen
                await say(connection, seen[-1], steps[0])


asyncio.run(main())
