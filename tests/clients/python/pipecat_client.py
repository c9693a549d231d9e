"""Pipecat's service for the OpenAI Realtime API, in a pipeline as a voice agent has it."""

import asyncio
import base64
import re

from loguru import logger

# It greets as soon as it is loaded.
logger.remove()

from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import (
    EndFrame,
    InputAudioRawFrame,
    InterruptionFrame,
    LLMRunFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.openai.realtime import events
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService
from pipecat.workers.runner import WorkerRunner

from errand import Session, read_errand, tell

SAMPLE_RATE = 24_000
LOOK_UP = FunctionSchema(
    name="look_up",
    description="Looks something up.",
    properties={"word": {"type": "string"}},
    required=["word"],
)


class SteeredResponse(events.ClientEvent):
    """A `response.create` with metadata, for which the library has no field."""

    type: str = "response.create"
    response: dict


class Conversation:
    """A pipeline with its session, and what it has shown."""

    def __init__(self, errand, row):
        self.session = Session()
        self._waiting = []
        self.failed = asyncio.get_running_loop().create_future()
        self._watch_parsing()
        is_written = row["name"] in ("text turn", "tool call", "reconnect")
        manual = events.AudioInput(turn_detection=False)
        self.service = OpenAIRealtimeLLMService(
            api_key=row.get("key", errand["key"]),
            base_url=errand["base"].replace("http", "ws", 1) + "/realtime",
            settings=OpenAIRealtimeLLMService.Settings(
                model=row.get("model", errand["model"]),
                session_properties=events.SessionProperties(
                    output_modalities=["text" if is_written else "audio"],
                    audio=events.AudioConfiguration(input=manual),
                ),
            ),
        )
        self.service.register_function("look_up", self._look_up)
        context = LLMContext([{"role": "user", "content": "Hello?"}])
        if row["name"] == "tool call":
            context.set_tools(ToolsSchema(standard_tools=[LOOK_UP]))
        pair = LLMContextAggregatorPair(context)
        self.worker = PipelineWorker(
            Pipeline([pair.user(), self.service, pair.assistant()]), cancel_on_idle_timeout=False
        )
        self.worker.add_event_handler("on_pipeline_error", self._fail)

    def _watch_parsing(self):
        """What is parsed is kept; it goes on as it is."""

        def parse(text):
            event = PARSE(text)
            if event is not None:
                self._take(event.model_dump())
            return event

        events.parse_server_event = parse

    def _take(self, event):
        self.session.keep(event)
        for kind, future in self._waiting:
            if kind == event["type"] and not future.done():
                future.set_result(event)

    async def _fail(self, _, frame):
        if not self.failed.done():
            self.failed.set_result(frame.error)

    async def _look_up(self, params):
        await params.result_callback("It is there.")

    def next(self, kind):
        """The next event of a kind."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((kind, future))
        return future

    async def run(self, script, steps):
        ready = self.next("session.updated")
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(self.worker)
        running = asyncio.create_task(runner.run())
        await asyncio.wait([ready, self.failed], return_when=asyncio.FIRST_COMPLETED)
        if self.failed.done():
            self.session.refused = self.failed.result()
        else:
            await script(self, steps)
        await self.worker.queue_frame(EndFrame())
        await running
        return self.session


async def have_voice_turn(conversation, steps):
    done = conversation.next("response.done")
    for step in steps:
        for message in step["send"]:
            if message["type"] == "input_audio_buffer.append":
                pcm = base64.b64decode(message["audio"])
                frame = InputAudioRawFrame(audio=pcm, sample_rate=SAMPLE_RATE, num_channels=1)
                await conversation.worker.queue_frame(frame)
    await conversation.worker.queue_frame(UserStoppedSpeakingFrame())
    await done


async def have_text_turn(conversation, _):
    done = conversation.next("response.done")
    await conversation.worker.queue_frame(LLMRunFrame())
    await done


async def have_tool_call(conversation, _):
    """The library runs the tool, and asks for the answer."""
    called = conversation.next("response.done")
    await conversation.worker.queue_frame(LLMRunFrame())
    await called
    await conversation.next("response.done")


async def cancel(conversation, _):
    speaking = conversation.next("response.output_audio.delta")
    done = conversation.next("response.done")
    await conversation.worker.queue_frame(LLMRunFrame())
    await speaking
    await conversation.worker.queue_frame(InterruptionFrame())
    await done


async def wait_for_end(conversation, steps):
    """The backend ends the connection when the response's metadata say so. The service has no sign of that."""
    logged = []
    sink = logger.add(lambda line: logged.append(line.record["message"]), level="WARNING")
    event = SteeredResponse(response=steps[-1]["send"][-1]["response"])
    await conversation.service.send_client_event(event)
    await asyncio.wait([conversation.service._receive_task])
    logger.remove(sink)
    # Objects are numbered, and places in the library are named with their paths.
    texts = [re.sub(r"#\d+| \(/[^)]*\)", "", text) for text in logged]
    conversation.session.ended = "; ".join(texts) or "nothing"


async def do_nothing(*_):
    pass


PARSE = events.parse_server_event
SCRIPTS = {
    "connect": do_nothing,
    "voice turn": have_voice_turn,
    "text turn": have_text_turn,
    "tool call": have_tool_call,
    "cancel": cancel,
}


async def have(errand, row):
    scripts = [SCRIPTS.get(row["name"], wait_for_end)]
    if row["name"] == "reconnect":
        scripts = [wait_for_end, have_text_turn]
    sessions = []
    for script, steps in zip(scripts, row["sessions"]):
        sessions.append(await Conversation(errand, row).run(script, steps))
    return sessions


async def main():
    errand = read_errand()
    for row in errand["rows"]:
        tell(row, await have(errand, row))


asyncio.run(main())
