/**
 * One request to a model: checked in the order of spec §3, sent to a backend, and its answer passed on
 * (spec §11).
 *
 * @module
 */

import { checkModelAccess, type Identity } from "../auth/mod.ts";
import { RouterError } from "../http/mod.ts";
import type { UsageSink } from "../metering/mod.ts";
import type { Log, Tracer } from "../observability/mod.ts";
import {
  type Backend,
  httpTarget,
  httpUrl,
  type ResolvedModel,
  resolveModel,
  type Strategy,
} from "../routing/mod.ts";
import { answerResponse, observeServed } from "./answer_response.ts";
import type { BodyBudget } from "./body_budget.ts";
import { type CallerGate, identifyCaller } from "./caller.ts";
import type { Clock } from "./clock.ts";
import { type FailoverResult, firstAnswer } from "./failover.ts";
import { requestHeaders } from "./header_lists.ts";
import { bodyWithModel, type JsonRequest, JsonRequestReader } from "./json_request.ts";
import { Lifetime } from "./lifetime.ts";
import type { ModelSources } from "./model_list.ts";
import { readBody } from "./read_body.ts";
import type { AskBackend } from "./upstream.ts";
import { UsageLedger } from "./usage_ledger.ts";

/** What requests are checked against. Getters, where a reload replaces the value. */
export interface DispatchGate extends CallerGate, ModelSources {
  readonly strategy: Strategy;
}

/** The section `timeouts`. */
export interface DispatchTimeouts {
  /** `request.standard.total`: from the request to the end of the answer, and as long for the request. */
  readonly standardTotalMs: number;
  /** `request.streaming.first_byte`: of each try, to the first byte of the answer's body. */
  readonly firstByteMs: number;
  /** `request.streaming.total`: from the request to the end of the stream. */
  readonly streamingTotalMs: number;
}

/** What a reload may change. Getters, where it does. */
export interface DispatchSettings {
  readonly timeouts: DispatchTimeouts;
  /** `circuit_breaker.failure_status_codes`. */
  readonly failureStatusCodes: ReadonlySet<number>;
}

/** What dispatching is made of. */
export interface DispatchParts {
  readonly gate: DispatchGate;
  readonly settings: DispatchSettings;
  readonly ask: AskBackend;
  /** Sent to backends. */
  readonly userAgent: string;
  /** The credential that a hub delivered for a backend, before the configured one (spec §9). */
  readonly credentialOf: (backend: string) => string | undefined;
  readonly usage: UsageSink;
  /** What the bodies of all requests may take. @default {undefined} as much as they like */
  readonly bodies?: BodyBudget | undefined;
  /** Told when a backend failed, with a message for operators. @default {undefined} nobody is told */
  readonly onBackendFailure?: ((backend: string, message: string) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer: Tracer;
}

/** A request to a model. */
export interface DispatchCall {
  readonly request: Request;
  readonly requestId: string;
  /** The route, which is also the path that backends are asked at. */
  readonly endpoint: string;
  /** The client's address, as far as it may be believed; for consistent hashing. */
  readonly clientAddress: string;
}

/** The status that is counted for a client that left before its answer; nobody receives it. */
const CLIENT_GONE_STATUS = 499;

/**
 * Serves a request.
 *
 * @throws {RouterError} With the code of the first check that fails, or `upstream_error` or
 * `upstream_timeout` when no backend answered.
 */
export async function dispatch(call: DispatchCall, parts: DispatchParts): Promise<Response> {
  const { request, requestId } = call;
  const { clock } = parts;
  if (request.method !== "POST") {
    throw new RouterError("method_not_allowed", "Only POST is allowed here", {
      headers: { "allow": "POST" },
    });
  }
  const identity = identifyCaller(call, parts);
  using held = new DisposableStack();
  const lifetime = held.use(new Lifetime(request.signal, clock));
  try {
    const found = await findAnswer(call, { identity, lifetime, parts });
    if (found.result.kind === "client_gone") return clientGone();
    const { result: { kind, answer }, ledger, stream } = found;
    const kept = held.move();
    const release = () => kept.dispose();
    return answerResponse(
      answer,
      kind === "served"
        ? observeServed(answer, { ...parts, ledger, requestId, stream, release })
        : { piece: () => {}, ended: release },
    );
  } catch (error) {
    if (lifetime.stopped === "client_gone") return clientGone();
    throw error;
  }
}

interface Found {
  readonly result: FailoverResult;
  readonly ledger: UsageLedger;
  readonly stream: boolean;
}

/** Everything up to the answer that is passed on. A function of its own, so that the body is let go of then. */
async function findAnswer(
  call: DispatchCall,
  { identity, lifetime, parts }: {
    readonly identity: Identity;
    readonly lifetime: Lifetime;
    readonly parts: DispatchParts;
  },
): Promise<Found> {
  const { request, requestId, endpoint, clientAddress } = call;
  const { gate, settings } = parts;
  const { timeouts } = settings;
  lifetime.expireAfter(timeouts.standardTotalMs);
  using share = parts.bodies?.open();
  const reader = new JsonRequestReader();
  const bytes = await readBody(request, {
    signal: lifetime.signal,
    onGrowth: (growth) => share?.take(growth),
    onPiece: (piece) => reader.push(piece),
  });
  const asked = reader.end(bytes);
  const { model, stream } = asked;
  checkModelAccess(identity, model);
  const resolved = resolveModel(model, gate);
  // Its copy with the other name.
  if (resolved.dispatchModel !== model) share?.take(bytes.length);
  // Anew: a client that sends slowly must not make a backend look late.
  lifetime.expireAfter(stream ? timeouts.streamingTotalMs : timeouts.standardTotalMs);
  const subject = { requestId, endpoint, model: resolved.dispatchModel, identity, stream };
  const ledger = new UsageLedger(subject, { sink: parts.usage, unixNow: gate.unixNow });
  parts.tracer.describeRequest({
    request_id: requestId,
    model: resolved.dispatchModel,
    api_key_id: identity.keyId,
    client_address: clientAddress,
    stream,
  });
  const result = await firstAnswer(resolved.candidates, {
    ...parts,
    requestId,
    lifetime,
    ledger,
    failureStatusCodes: settings.failureStatusCodes,
    firstByteTimeoutMs: stream ? timeouts.firstByteMs : undefined,
    requestFor: requestMaker(call, { asked, resolved, parts }),
    choice: {
      strategy: gate.strategy,
      hashKey: identity.keyId ?? clientAddress,
      allowedBackends: identity.allowedBackends,
      preferredBackend: request.headers.get("x-backend"),
    },
  });
  if (result.kind !== "client_gone") {
    parts.tracer.describeRequest({ backend: result.answer.chosen.backend.name });
  }
  return { result, ledger, stream };
}

function requestMaker(
  { request, requestId, endpoint }: DispatchCall,
  { asked, resolved, parts }: {
    readonly asked: JsonRequest;
    readonly resolved: ResolvedModel;
    readonly parts: DispatchParts;
  },
) {
  const body = bodyWithModel(asked, resolved.dispatchModel);
  return (backend: Backend) => ({
    url: httpUrl(httpTarget(backend.config.url, endpoint)),
    headers: requestHeaders(backend, {
      clientHeaders: request.headers,
      requestId,
      userAgent: parts.userAgent,
      marked: parts.tracer.marksFetch,
      apiKey: parts.credentialOf(backend.name),
    }),
    body,
  });
}

function clientGone(): Response {
  return new Response(null, { status: CLIENT_GONE_STATUS });
}
