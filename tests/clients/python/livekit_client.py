"""The realtime model of LiveKit's plugin for OpenAI, without a room: what an `AgentSession` does with it."""

import asyncio
import base64
import contextlib
import logging

from livekit import rtc
from livekit.agents import APIConnectOptions, APIError, function_tool, llm
from livekit.plugins.openai import realtime

from errand import Session, read_errand, shown, tell

SAMPLE_RATE = 24_000
# It warns of every connection that ends.
logging.getLogger("livekit").addHandler(logging.NullHandler())


@function_tool
async def look_up(word: str) -> str:
    """Looks something up."""
    return "It is there."


class Conversation:
    """One session of the model, and what it has shown."""

    def __init__(self, errand, row):
        self.sessions = []
        self._waiting = []
        self.failed = asyncio.get_running_loop().create_future()
        is_written = row["name"] in ("text turn", "tool call", "reconnect")
        # By default it tries three times more; here only where that is asked for.
        retries = 3 if row.get("reconnects") else 0
        self.model = realtime.RealtimeModel(
            base_url=errand["base"],
            api_key=row.get("key", errand["key"]),
            model=row.get("model", errand["model"]),
            modalities=["text"] if is_written else ["text", "audio"],
            turn_detection=None,
            conn_options=APIConnectOptions(max_retry=retries),
        )
        self.realtime = self.model.session()
        self.realtime.on("openai_server_event_received", self._take)
        self.realtime.on("error", self._fail)

    def _take(self, event):
        if event["type"] == "session.created":
            self.sessions.append(Session())
        self.sessions[-1].keep(event)
        for waiting in self._waiting:
            if waiting[0] == event["type"] and not waiting[1].done():
                waiting[1].set_result(event)

    def _fail(self, error):
        if not error.recoverable and not self.failed.done():
            self.failed.set_result(shown(error.error))

    def next(self, kind):
        """The next event of a kind."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((kind, future))
        return future

    async def reply(self):
        done = self.next("response.done")
        await self.realtime.generate_reply()
        return await done

    async def say(self, item):
        context = self.realtime.chat_ctx.copy()
        context.items.append(item)
        await self.realtime.update_chat_ctx(context)

    async def close(self):
        # It raises once more what it has emitted.
        with contextlib.suppress(APIError):
            await self.realtime.aclose()
        await self.model.aclose()


def question():
    return llm.ChatMessage(role="user", content=["Hello?"])


async def have_voice_turn(conversation, steps):
    for step in steps:
        for message in step["send"]:
            if message["type"] == "input_audio_buffer.append":
                pcm = base64.b64decode(message["audio"])
                conversation.realtime.push_audio(
                    rtc.AudioFrame(pcm, SAMPLE_RATE, 1, len(pcm) // 2)
                )
    conversation.realtime.commit_audio()
    await conversation.reply()


async def have_text_turn(conversation, _):
    await conversation.say(question())
    await conversation.reply()


async def have_tool_call(conversation, _):
    await conversation.realtime.update_tools([look_up])
    await conversation.say(question())
    called = conversation.next("response.function_call_arguments.done")
    await conversation.reply()
    call = await called
    await conversation.say(
        llm.FunctionCallOutput(
            call_id=call["call_id"], name=call["name"], output=await look_up("demo"), is_error=False
        )
    )
    await conversation.reply()


async def cancel(conversation, _):
    await conversation.say(question())
    speaking = conversation.next("response.output_audio.delta")
    done = conversation.next("response.done")
    conversation.realtime.generate_reply()
    await speaking
    conversation.realtime.interrupt()
    await done


async def wait_for_end(conversation, steps):
    """The backend ends the connection when the response's metadata say so."""
    conversation.realtime.send_event(steps[-1]["send"][-1])
    await conversation.failed


async def reconnect(conversation, steps):
    again = conversation.next("session.created")
    conversation.realtime.send_event(steps[-1]["send"][-1])
    await again
    await have_text_turn(conversation, steps)


async def do_nothing(*_):
    pass


SCRIPTS = {
    "connect": do_nothing,
    "voice turn": have_voice_turn,
    "text turn": have_text_turn,
    "tool call": have_tool_call,
    "cancel": cancel,
    "reconnect": reconnect,
}


async def have(errand, row):
    conversation = Conversation(errand, row)
    created = conversation.next("session.created")
    await asyncio.wait([created, conversation.failed], return_when=asyncio.FIRST_COMPLETED)
    if not created.done():
        refused = Session()
        refused.refused = conversation.failed.result()
        conversation.sessions.append(refused)
    else:
        await SCRIPTS.get(row["name"], wait_for_end)(conversation, row["sessions"][0])
        if conversation.failed.done():
            conversation.sessions[-1].ended = conversation.failed.result()
    await conversation.close()
    return conversation.sessions


async def main():
    errand = read_errand()
    for row in errand["rows"]:
        tell(row, await have(errand, row))


asyncio.run(main())
