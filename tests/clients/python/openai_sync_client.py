"""`client.realtime.connect` of the `openai` package."""

from openai import OpenAI
from websockets.exceptions import ConnectionClosed, InvalidStatus

from errand import Session, read_errand, shown, tell
from openai_errand import method_for, refusal


def main():
    errand = read_errand()
    for row in errand["rows"]:
        client = OpenAI(base_url=errand["base"], api_key=row.get("key", errand["key"]))
        model = row.get("model", errand["model"])
        if row.get("reconnects"):
            tell(row, have_one_after_the_other(client, model, row["sessions"]))
        else:
            tell(row, [have(client, model, steps) for steps in row["sessions"]])


def have(client, model, steps):
    session = Session()
    try:
        with client.realtime.connect(model=model) as connection:
            for step in steps:
                take(connection, session, step)
    except InvalidStatus as error:
        session.refused = refusal(error)
    except ConnectionClosed as error:
        session.ended = shown(error)
    return session


def take(connection, session, step):
    say(connection, session, step)
    for event in connection:
        session.keep(event.to_dict())
        if event.type == step["until"]:
            return
    session.ended = "the iteration ends"


def say(connection, session, step):
    for message in step["send"]:
        method, arguments = method_for(connection, session.fill_in(message))
        method(**arguments)


def have_one_after_the_other(client, model, sessions):
    """All on one connection, which the library opens again: a session that is created begins the next."""
    seen = []
    steps = []
    with client.realtime.connect(model=model, on_reconnecting=lambda _: None) as connection:
        for event in connection:
            if event.type == "session.created":
                seen.append(Session())
                steps = list(sessions[len(seen) - 1])
            seen[-1].keep(event.to_dict())
            if steps and event.type == steps[0]["until"]:
                steps.pop(0)
                if not steps:
                    return seen
                say(connection, seen[-1], steps[0])


main()
