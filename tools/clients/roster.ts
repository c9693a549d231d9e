/**
 * The clients of the matrix, in the order of the document.
 *
 * @module
 */

/** Where the version of a client's package is pinned. */
export type PinnedIn = "tests/clients/python/requirements.txt" | "deno.json" | PackageJson;

type PackageJson = "tests/clients/javascript/package.json";

/** One of them. */
export interface RosterEntry {
  /** As results and documents call it. */
  readonly name: string;
  /** Its package; absent for what the system brings. */
  readonly pin?: { readonly package: string; readonly in: PinnedIn };
  /** All that it is told, in Markdown. */
  readonly given: string;
  /** What is peculiar to it, in Markdown. */
  readonly note?: string;
}

const REQUIREMENTS = "tests/clients/python/requirements.txt";
const PACKAGES = "tests/clients/javascript/package.json";
const HTTP_BASE = "`http(s)://HOST/v1`, key";
const WS_URL = "`ws(s)://HOST/v1/realtime?model=`, key in `Authorization`";
const TLS_ONLY = "Always dials TLS, whatever the base URL says.";

/** See the module. */
export const ROSTER = [
  {
    name: "openai Python",
    pin: { package: "openai", in: REQUIREMENTS },
    given: HTTP_BASE,
    note:
      "Connects again by itself with `on_reconnecting`. Takes messages of at most 1 MiB. Not asked " +
      "over TLS: there its two threads share an `SSLSocket`, and now and then a connection never " +
      "sends its request, whatever the server.",
  },
  {
    name: "openai Python, async",
    pin: { package: "openai", in: REQUIREMENTS },
    given: HTTP_BASE,
    note: "Connects again by itself with `on_reconnecting`. Takes messages of at most 1 MiB.",
  },
  {
    name: "websockets",
    pin: { package: "websockets", in: REQUIREMENTS },
    given: WS_URL,
    note: "Takes messages of at most 1 MiB.",
  },
  {
    name: "aiohttp",
    pin: { package: "aiohttp", in: REQUIREMENTS },
    given: WS_URL,
    note: "Does not show the body of a refusal. Takes messages of at most 4 MiB.",
  },
  {
    name: "Pipecat",
    pin: { package: "pipecat-ai", in: REQUIREMENTS },
    given: "`ws(s)://HOST/v1/realtime`, key",
    note: "`OpenAIRealtimeLLMService` in a pipeline. Only its log tells of the end of a session.",
  },
  {
    name: "LiveKit Agents",
    pin: { package: "livekit-plugins-openai", in: REQUIREMENTS },
    given: HTTP_BASE,
    note:
      "`RealtimeModel` of the plugin for OpenAI, without a room. By default it tries again three " +
      "times, whatever the refusal or the close code.",
  },
  {
    name: "openai Node, ws, Deno",
    pin: { package: "openai", in: "deno.json" },
    given: HTTP_BASE,
    note: `${TLS_ONLY} Connects again by itself with \`reconnect\`.`,
  },
  {
    name: "openai Node, ws, Node",
    pin: { package: "openai", in: PACKAGES },
    given: HTTP_BASE,
    note: `${TLS_ONLY} Connects again by itself with \`reconnect\`.`,
  },
  {
    name: "openai Node, ws with createConnection, Deno",
    pin: { package: "openai", in: "deno.json" },
    given: `${HTTP_BASE}, \`options.createConnection\``,
    note: "The way to a router without TLS; not asked with TLS.",
  },
  {
    name: "openai Node, ws with createConnection, Node",
    pin: { package: "openai", in: PACKAGES },
    given: `${HTTP_BASE}, \`options.createConnection\``,
    note: "The same under Node.",
  },
  {
    name: "openai Node 6, ws, Node",
    pin: { package: "openai-6", in: PACKAGES },
    given: HTTP_BASE,
    note: `What npm gives to Node below 22. ${TLS_ONLY}`,
  },
  {
    name: "openai Node, native, Deno",
    pin: { package: "openai", in: "deno.json" },
    given: HTTP_BASE,
    note:
      `${TLS_ONLY} Sends its key in a subprotocol only, which no router reads as one: permissive ` +
      "mode only.",
  },
  {
    name: "openai Node, native, Node",
    pin: { package: "openai", in: PACKAGES },
    given: HTTP_BASE,
    note: "The same under Node.",
  },
  {
    name: "agents-realtime",
    pin: { package: "@openai/agents-realtime", in: "deno.json" },
    given: "`ws(s)://HOST/v1/realtime?model=`, key",
    note: "Shows no close code.",
  },
  {
    name: "wscat",
    pin: { package: "wscat", in: PACKAGES },
    given: WS_URL,
    note: "Shows an end in a terminal only.",
  },
  {
    name: "Deno WebSocket",
    given: WS_URL,
    note: "Over TLS the status of a refusal is lost: it tries again with HTTP/2.",
  },
  {
    name: "Node WebSocket",
    given: WS_URL,
    note: "Does not show the status of a refusal. Asked for by a flag before Node 22.",
  },
  {
    name: "Chromium",
    given: "`ws(s)://HOST/v1/realtime?model=`",
    note:
      "A page cannot send a key: permissive mode only. No page is shown the status of a refusal.",
  },
  { name: "curl", given: "each request by hand" },
] as const satisfies readonly RosterEntry[];

/** Name of a client. */
export type ClientName = typeof ROSTER[number]["name"];
