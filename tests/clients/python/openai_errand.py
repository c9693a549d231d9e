"""What the two forms of the `openai` package have in common."""

import json

from errand import shown


def method_for(connection, message):
    """The method that sends such a message: `connection.conversation.item.create(item=...)`."""
    *path, verb = message["type"].split(".")
    resource = connection
    for name in path:
        resource = getattr(resource, name)
    return getattr(resource, verb), {key: value for key, value in message.items() if key != "type"}


def refusal(error):
    """The exception is that of `websockets`, and has the body."""
    return f"{shown(error)} {json.loads(error.response.body)['error']['code']}"
