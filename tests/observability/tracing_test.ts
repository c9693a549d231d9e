import assert from "node:assert/strict";
import type { Attributes, Span, TracerProvider } from "@opentelemetry/api";
import { createTracer, UNTRACED } from "../../src/observability/mod.ts";

const SECRET = "http://backend.test/path?token=secret";

/** A class of spans as the runtime has one, what they were told, and what makes them. */
function runtimeSpans() {
  const told: unknown[] = [];
  class RuntimeSpan implements Span {
    spanContext() {
      return { traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 };
    }
    setAttribute(name: string, value: unknown) {
      told.push([name, value]);
      return this;
    }
    setAttributes(attributes: Attributes) {
      told.push(attributes);
      return this;
    }
    setStatus(status: unknown) {
      told.push(status);
      return this;
    }
    end() {
      told.push("end");
    }
    updateName() {
      return this;
    }
    addEvent() {
      return this;
    }
    addLink() {
      return this;
    }
    addLinks() {
      return this;
    }
    isRecording() {
      return true;
    }
    recordException() {}
  }
  return { told, ...providerOf(RuntimeSpan) };
}

function providerOf(Kind: new () => Span) {
  const started: unknown[] = [];
  const provider: TracerProvider = {
    getTracer: () => ({
      startSpan: (name, options) => {
        started.push([name, options?.attributes]);
        return new Kind();
      },
      startActiveSpan: () => {
        throw new Error("no span is made active");
      },
    }),
  };
  return { Kind, provider, started };
}

Deno.test("createTracer(): traces nothing where no provider is registered", () => {
  assert.equal(createTracer(), UNTRACED);
  const span = UNTRACED.startSpan("a", { attributes: {}, traceparent: "the caller's" });
  assert.equal(span.traceparent, undefined);
  assert.equal(UNTRACED.marksFetch, false);
  assert.equal(UNTRACED.withinRequest(() => 5), 5);
});

Deno.test("createTracer(): the runtime's own spans take neither URLs nor messages of errors", () => {
  const { told, provider, Kind } = runtimeSpans();
  createTracer(provider);
  // As the runtime does for a request that fails.
  const span = new Kind();
  span.setAttribute("http.request.method", "GET")
    .setAttribute("url.full", SECRET)
    .setAttribute("url.scheme", "http+unix")
    .setAttribute("url.path", "/path")
    .setAttribute("url.query", "token=secret")
    .setAttribute("http.response.status_code", "500")
    .setAttribute("error.type", "TypeError")
    .setAttribute("exception.message", SECRET)
    .setAttribute("exception.stacktrace", SECRET)
    .setStatus({ code: 2, message: SECRET });
  assert.deepEqual(told, [
    ["http.request.method", "GET"],
    ["url.scheme", "http"],
    ["http.response.status_code", "500"],
    ["error.type", "TypeError"],
    { code: 2 },
  ]);
});

Deno.test("createTracer(): a second router in the process changes nothing", () => {
  const { provider, Kind } = runtimeSpans();
  createTracer(provider);
  const { setAttribute } = Kind.prototype;
  createTracer(provider);
  assert.equal(Kind.prototype.setAttribute, setAttribute);
});

Deno.test("createTracer(): refuses spans that it cannot keep URLs out of", () => {
  class Derived extends runtimeSpans().Kind {}
  assert.throws(() => createTracer(providerOf(Derived).provider), /would show URLs/);
});

Deno.test("Tracer: a span has what is known of it, and an error's status when it failed", () => {
  const { told, provider, started } = runtimeSpans();
  const tracer = createTracer(provider);
  const span = tracer.startSpan("work", {
    attributes: { model: "voice", api_key_id: null },
    traceparent: null,
  });
  span.setAttributes({ outcome: "completed", client_close_code: 1000, backend_close_code: null });
  span.end();
  assert.deepEqual(started.at(-1), ["work", { model: "voice" }]);
  assert.deepEqual(told, [{ outcome: "completed", client_close_code: 1000 }, "end"]);
  tracer.startSpan("work", { attributes: {}, traceparent: null }).end({ failed: true });
  assert.deepEqual(told.slice(2), [{ code: 2 }, "end"]);
});
