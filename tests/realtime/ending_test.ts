import assert from "node:assert/strict";
import {
  closeCodeOf,
  closeFrameTo,
  describeEnding,
  type Ending,
  type Outcome,
  outcomeOf,
} from "../../src/realtime/ending.ts";
import { type CloseFrame, DialFailure, EMPTY_CLOSE } from "../../src/wire/mod.ts";

interface Row {
  readonly ending: Ending;
  /** The outcome of a session that was established, and of one that was not. */
  readonly outcomes: readonly [established: Outcome, connecting: Outcome];
  readonly toClient: CloseFrame | null;
  readonly toBackend: CloseFrame | null;
  readonly codes: readonly [client: number | null, backend: number | null];
  readonly words: string;
}

const bye = { code: 4000, reason: "bye" };
const gone = (side: string) => ({ code: 1011, reason: `${side} connection lost` });

function same(close: CloseFrame): Pick<Row, "toClient" | "toBackend" | "codes"> {
  return { toClient: close, toBackend: close, codes: [close.code, close.code] };
}

const refused = new DialFailure("refused", "connection refused by 10.0.0.5");

const ROWS: readonly Row[] = [
  {
    ending: { kind: "closed", by: "client", close: bye },
    outcomes: ["completed", "client_abort"],
    toClient: null,
    toBackend: bye,
    codes: [4000, 4000],
    words: "closed by client",
  },
  {
    ending: { kind: "closed", by: "backend", close: bye },
    outcomes: ["completed", "completed"],
    toClient: bye,
    toBackend: null,
    codes: [4000, 4000],
    words: "closed by backend",
  },
  {
    ending: { kind: "closed", by: "backend", close: EMPTY_CLOSE },
    outcomes: ["completed", "completed"],
    toClient: EMPTY_CLOSE,
    toBackend: null,
    codes: [null, null],
    words: "closed by backend",
  },
  ...(["fin", "rst", "killed"] as const).flatMap((how): Row[] => [
    {
      ending: { kind: "aborted", by: "client", how, code: null },
      outcomes: ["client_abort", "client_abort"],
      toClient: null,
      toBackend: gone("client"),
      codes: [null, 1011],
      words: `client ${how}`,
    },
    {
      ending: { kind: "aborted", by: "backend", how, code: null },
      outcomes: ["backend_abort", "backend_abort"],
      toClient: gone("backend"),
      toBackend: null,
      codes: [1011, null],
      words: `backend ${how}`,
    },
  ]),
  ...[1002, 1007, 1009].flatMap((code): Row[] => [
    {
      ending: { kind: "aborted", by: "client", how: "violation", code },
      outcomes: ["client_abort", "client_abort"],
      toClient: null,
      toBackend: gone("client"),
      codes: [code, 1011],
      words: "client violation",
    },
    {
      ending: { kind: "aborted", by: "backend", how: "violation", code },
      outcomes: ["backend_abort", "backend_abort"],
      toClient: gone("backend"),
      toBackend: null,
      codes: [1011, code],
      words: "backend violation",
    },
  ]),
  {
    ending: { kind: "idle" },
    outcomes: ["idle_timeout", "idle_timeout"],
    ...same({ code: 1000, reason: "idle timeout" }),
    words: "idle",
  },
  {
    ending: { kind: "max-duration" },
    outcomes: ["max_duration", "max_duration"],
    ...same({ code: 1000, reason: "max session duration" }),
    words: "max-duration",
  },
  {
    ending: { kind: "connect-failed", cause: "timeout" },
    outcomes: ["backend_connect_failed", "backend_connect_failed"],
    ...same({ code: 1011, reason: "backend connection failed" }),
    words: "timeout",
  },
  {
    ending: { kind: "connect-failed", cause: refused },
    outcomes: ["backend_connect_failed", "backend_connect_failed"],
    ...same({ code: 1011, reason: "backend connection failed" }),
    words: "refused",
  },
  {
    ending: { kind: "shutdown" },
    outcomes: ["completed", "completed"],
    ...same({ code: 1001, reason: "server shutting down" }),
    words: "shutdown",
  },
  {
    ending: { kind: "operator" },
    outcomes: ["completed", "completed"],
    ...same({ code: 1001, reason: "closed by operator" }),
    words: "operator",
  },
];

const NAMED = ROWS.map((row) => {
  const { ending } = row;
  const by = "by" in ending ? ` by ${ending.by}` : "";
  const how = ending.kind === "aborted" ? ` ${ending.how} ${ending.code}` : "";
  return [`${ending.kind}${by}${how}`, row] as const;
});

Deno.test.each(NAMED)("outcomeOf() the ending %s", (_name, { ending, outcomes }) => {
  assert.equal(outcomeOf(ending, { established: true }), outcomes[0]);
  assert.equal(outcomeOf(ending, { established: false }), outcomes[1]);
});

Deno.test.each(NAMED)("closeFrameTo() both sides of the ending %s", (_name, row) => {
  assert.deepEqual(closeFrameTo("client", row.ending), row.toClient);
  assert.deepEqual(closeFrameTo("backend", row.ending), row.toBackend);
});

Deno.test.each(NAMED)("closeCodeOf() both sides of the ending %s", (_name, { ending, codes }) => {
  assert.equal(closeCodeOf("client", ending), codes[0]);
  assert.equal(closeCodeOf("backend", ending), codes[1]);
});

Deno.test.each(NAMED)("describeEnding() names no host and no reason: %s", (_name, row) => {
  assert.equal(describeEnding(row.ending), row.words);
});
