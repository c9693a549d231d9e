/**
 * Traces (spec §13). Deno exports them when `OTEL_DENO=true`; what of the program goes into them is decided
 * here, and it is never a URL or an error's message.
 *
 * @module
 */

import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  type TracerProvider,
} from "@opentelemetry/api";
import type { LogFields } from "./log.ts";

/** A piece of work that takes time. One that is not ended is not exported. */
export interface TraceSpan {
  /** The header for those who do a part of the work; undefined: the caller's own goes on to them. */
  readonly traceparent: string | undefined;
  setAttributes(attributes: LogFields): void;
  /** @param options `failed`: whether its status is an error. @default {false} */
  end(options?: { readonly failed?: boolean }): void;
}

/** What the rooms trace with. */
export interface Tracer {
  /** Whether `fetch` adds a `traceparent` by itself, to one that is there. */
  readonly marksFetch: boolean;
  /** Runs all that a request brings about, without the client's `baggage`, which fetch would send on. */
  withinRequest<T>(run: () => T): T;
  /** Says more of the request's span. */
  describeRequest(attributes: LogFields, options?: { readonly name?: string }): void;
  /** Starts a span below the caller's or, without one, below the request's. */
  startSpan(name: string, options: {
    readonly attributes: LogFields;
    /** The caller's header. */
    readonly traceparent: string | null;
  }): TraceSpan;
}

const NO_SPAN: TraceSpan = { traceparent: undefined, setAttributes: () => {}, end: () => {} };

/** Traces nothing. */
export const UNTRACED: Tracer = {
  marksFetch: false,
  withinRequest: (run) => run(),
  describeRequest: () => {},
  startSpan: () => NO_SPAN,
};

const NAME = "realtime-router";
/** Of what Deno says of requests by itself: never the URL, nor messages of errors, which may have it. */
const SHOWN: ReadonlySet<string> = new Set([
  "error.type",
  "exception.type",
  "http.request.method",
  "http.response.status_code",
  "url.scheme",
]);

/** How the runtime calls HTTP over a Unix socket, as requests come from the edge. No client speaks it. */
const INNER_SCHEME = "http+unix";

/**
 * Traces with what the runtime has registered; without that, {@link UNTRACED}.
 *
 * @throws {TypeError} When URLs cannot be kept out of the runtime's own spans.
 */
export function createTracer(provider: TracerProvider = trace.getTracerProvider()): Tracer {
  if (provider instanceof ProxyTracerProvider) return UNTRACED;
  keepUrlsOut(provider);
  const tracer = provider.getTracer(NAME);
  return {
    marksFetch: propagation.fields().includes("traceparent"),
    withinRequest: (run) => context.with(contextOf(trace.getActiveSpan()), run),
    describeRequest: (attributes, { name } = {}) => {
      const span = trace.getActiveSpan()?.setAttributes(attributesOf(attributes));
      if (name !== undefined) span?.updateName(name);
    },
    startSpan: (name, { attributes, traceparent }) =>
      traceSpan(
        tracer.startSpan(name, { attributes: attributesOf(attributes) }, parentOf(traceparent)),
      ),
  };
}

function traceSpan(span: Span): TraceSpan {
  const headers: Record<string, string> = {};
  propagation.inject(contextOf(span), headers, defaultTextMapSetter);
  return {
    traceparent: headers["traceparent"],
    setAttributes: (attributes) => void span.setAttributes(attributesOf(attributes)),
    end: ({ failed = false } = {}) => {
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function contextOf(span: Span | undefined): Context {
  return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span);
}

function parentOf(traceparent: string | null): Context {
  if (traceparent === null) return context.active();
  const extracted = propagation.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
  return trace.getSpanContext(extracted) === undefined ? context.active() : extracted;
}

function attributesOf(fields: LogFields): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) attributes[name] = value;
  }
  return attributes;
}

const treated = new WeakSet<object>();

/**
 * Deno puts the whole URL into the spans of `Deno.serve` and `fetch`, and has no setting against it. What it
 * has set once cannot be taken back either: the exporter sends both values. So the class of its spans, which
 * cannot be had but from one of them, is made to take no more than {@link SHOWN}. Our own attributes come by
 * `setAttributes`, which Deno itself does not use.
 */
function keepUrlsOut(provider: TracerProvider): void {
  const spans: Pick<Span, "setAttribute" | "setStatus"> = Object.getPrototypeOf(
    provider.getTracer(NAME).startSpan("never ended"),
  );
  if (treated.has(spans)) return;
  const { setAttribute, setStatus } = spans;
  if (!Object.hasOwn(spans, "setAttribute") || !Object.hasOwn(spans, "setStatus")) {
    throw new TypeError("traces cannot be had with this runtime: its spans would show URLs");
  }
  spans.setAttribute = function (this: Span, name, value) {
    if (!SHOWN.has(name)) return this;
    return setAttribute.call(this, name, value === INNER_SCHEME ? "http" : value);
  };
  spans.setStatus = function (this: Span, { code }) {
    return setStatus.call(this, { code });
  };
  treated.add(spans);
}
