/**
 * Frameworks for voice agents: Pipecat and LiveKit Agents.
 *
 * @module
 */

import { testClient } from "./matrix_client.ts";
import { python } from "./python_client.ts";

// Neither can ask the backend for a long answer that it then cancels.
const speed = 4;

testClient({ ...python("Pipecat", "pipecat_client"), speed });
testClient({ ...python("LiveKit Agents", "livekit_client"), reconnects: true, speed });
