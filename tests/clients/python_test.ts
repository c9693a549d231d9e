/**
 * Clients in Python: the `openai` package in both of its forms, `websockets` and `aiohttp`.
 *
 * @module
 */

import { testClient } from "./matrix_client.ts";
import { MODES } from "./mode.ts";
import { python } from "./python_client.ts";

// Over TLS its two threads share an SSLSocket, which Python does not make safe: of some hundred connections,
// to whatever server, one never sends its request.
testClient({
  ...python("openai Python", "openai_sync_client"),
  reconnects: true,
  modes: MODES.filter(({ tls }) => !tls),
});
testClient({ ...python("openai Python, async", "openai_async_client"), reconnects: true });
testClient(python("websockets", "websockets_client"));
testClient(python("aiohttp", "aiohttp_client"));
