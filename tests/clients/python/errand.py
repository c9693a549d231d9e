"""What the Python clients have in common: the errand, the events they keep, and the account they give."""

import json
import sys
import warnings



def read_errand():
    """The errand, from the only argument."""
    warnings.simplefilter("error", DeprecationWarning)
    return json.loads(sys.argv[1])


def shown(error):
    """An error as an application would print it."""
    return f"{type(error).__name__}: {error}"


class Session:
    """One session as the client saw it."""

    def __init__(self):
        self.events = []
        self.refused = None
        self.ended = None

    def keep(self, event):
        self.events.append(event)

    def fill_in(self, message):
        """The message with the last function call in the place of its mark."""
        text = json.dumps(message)
        for event in self.events:
            if event["type"] == "response.function_call_arguments.done":
                text = text.replace("$call_id", event["call_id"])
        return json.loads(text)

    def account(self):
        account = {"events": self.events, "ended": self.ended}
        return account if self.refused is None else {**account, "refused": self.refused}


def tell(row, sessions):
    """Prints the account of a row."""
    account = {"row": row["name"], "sessions": [session.account() for session in sessions]}
    print(json.dumps(account), flush=True)


def realtime_url(errand, row):
    """Where the row's sessions are, for libraries that know no more than WebSocket."""
    base = errand["base"].replace("http", "ws", 1)
    return f"{base}/realtime?model={row.get('model', errand['model'])}"


def authorization(errand, row):
    return {"Authorization": f"Bearer {row.get('key', errand['key'])}"}
