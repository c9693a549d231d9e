import assert from "node:assert/strict";
import { Metrics } from "../../src/observability/mod.ts";

/** The samples of an exposition: name and labels to value. Labels are sorted. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const match = /^([a-zA-Z_:]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    assert.ok(match !== null, line);
    const labels = (match[2] ?? "").split(",").toSorted().join(",");
    found.set(`${match[1]}{${labels}}`, Number(match[3]));
  }
  return found;
}

async function read(metrics: Metrics): Promise<Map<string, number>> {
  return samples((await metrics.render("")).text);
}

/** Metrics with one of everything. */
function filled(): Metrics {
  const metrics = new Metrics();
  const { realtime, http, usage } = metrics;
  realtime.sessionOpened("b", 30);
  realtime.sessionEnded("b", { outcome: "completed", establishedMs: 2_000 });
  realtime.relayed("client_to_backend", 10);
  realtime.relayed("backend_to_client", 20);
  realtime.paused("backend_to_client");
  realtime.rejected("missing_model");
  http.answered("/v1/realtime", { method: "GET", status: 101, durationMs: 5 });
  usage.event("b", "recorded", 1);
  usage.record({
    api_key_id: null,
    model: "m",
    backend: "b",
    input_tokens: 1,
    cached_input_tokens: 0,
    output_tokens: 1,
  });
  metrics.observeBackends(() => [{ name: "b", health: "ready", circuit: "closed" }]);
  return metrics;
}

/** Name, kind and labels of spec §10.2. */
const EXPECTED = [
  ["realtime_active_sessions", "gauge", ["backend"]],
  ["realtime_sessions_total", "counter", ["backend", "outcome"]],
  ["realtime_frames_relayed_total", "counter", ["direction"]],
  ["realtime_session_duration_seconds", "histogram", ["backend"]],
  ["realtime_backend_connect_seconds", "histogram", ["backend"]],
  ["realtime_handshake_rejections_total", "counter", ["code"]],
  ["realtime_relay_bytes_total", "counter", ["direction"]],
  ["realtime_backpressure_pauses_total", "counter", ["direction"]],
  ["http_requests_total", "counter", ["endpoint", "method", "status"]],
  ["http_request_duration_seconds", "histogram", ["endpoint"]],
  ["realtime_usage_events_total", "counter", ["backend", "result"]],
  ["llm_tokens_total", "counter", ["api_key", "model", "backend", "type"]],
  ["usage_spool_dropped_total", "counter", []],
  ["backend_health_state", "gauge", ["backend"]],
  ["circuit_breaker_state", "gauge", ["backend"]],
  ["process_resident_memory_bytes", "gauge", []],
  ["process_start_time_seconds", "gauge", []],
  ["process_cpu_seconds_total", "counter", []],
] as const;

Deno.test.each(EXPECTED)("Metrics has %s, a %s", async (name, kind, labels) => {
  const { text } = await filled().render("");
  assert.match(text, new RegExp(`^# HELP ${name} \\S`, "m"));
  assert.match(text, new RegExp(`^# TYPE ${name} ${kind}$`, "m"));
  const sample = kind === "histogram" ? `${name}_count` : name;
  const line = text.split("\n").find((line) => new RegExp(`^${sample}[{ ]`).test(line));
  assert.ok(line !== undefined, `no sample of ${name}`);
  const shown = [...line.matchAll(/([a-z_]+)="/g)].map((match) => match[1]);
  assert.deepEqual(shown.toSorted(), [...labels].toSorted());
});

Deno.test("Metrics counts open sessions until they are disposed of", async () => {
  const metrics = new Metrics();
  const one = metrics.realtime.sessionOpened("a", 10);
  const two = metrics.realtime.sessionOpened("a", 10);
  metrics.realtime.sessionOpened("b", 10);
  one[Symbol.dispose]();
  assert.equal((await read(metrics)).get('realtime_active_sessions{backend="a"}'), 1);
  two[Symbol.dispose]();
  const after = await read(metrics);
  assert.equal(after.get('realtime_active_sessions{backend="a"}'), 0);
  assert.equal(after.get('realtime_active_sessions{backend="b"}'), 1);
  assert.equal(after.get('realtime_backend_connect_seconds_count{backend="a"}'), 2);
  assert.equal(after.get('realtime_backend_connect_seconds_sum{backend="a"}'), 0.02);
});

Deno.test("Metrics counts every session by its outcome, and the duration of established ones", async () => {
  const metrics = new Metrics();
  metrics.realtime.sessionEnded("a", { outcome: "completed", establishedMs: 1_500 });
  metrics.realtime.sessionEnded("a", { outcome: "backend_connect_failed", establishedMs: null });
  const found = await read(metrics);
  assert.equal(found.get('realtime_sessions_total{backend="a",outcome="completed"}'), 1);
  const failed = 'realtime_sessions_total{backend="a",outcome="backend_connect_failed"}';
  assert.equal(found.get(failed), 1);
  assert.equal(found.get('realtime_session_duration_seconds_count{backend="a"}'), 1);
  assert.equal(found.get('realtime_session_duration_seconds_sum{backend="a"}'), 1.5);
});

Deno.test("Metrics brings the counters of messages up to date at each scrape, and only once", async () => {
  const metrics = new Metrics();
  const frames = 'realtime_frames_relayed_total{direction="client_to_backend"}';
  const bytes = 'realtime_relay_bytes_total{direction="client_to_backend"}';
  const pauses = 'realtime_backpressure_pauses_total{direction="backend_to_client"}';
  const nothing = await read(metrics);
  assert.deepEqual([nothing.get(frames), nothing.get(bytes), nothing.get(pauses)], [0, 0, 0]);
  metrics.realtime.relayed("client_to_backend", 100);
  metrics.realtime.relayed("client_to_backend", 0);
  metrics.realtime.paused("backend_to_client");
  for (let scrape = 0; scrape < 3; scrape++) {
    const found = await read(metrics);
    assert.deepEqual([found.get(frames), found.get(bytes), found.get(pauses)], [2, 100, 1]);
  }
  metrics.realtime.relayed("client_to_backend", 7);
  const found = await read(metrics);
  assert.deepEqual([found.get(frames), found.get(bytes), found.get(pauses)], [3, 107, 1]);
  assert.equal(found.get('realtime_frames_relayed_total{direction="backend_to_client"}'), 0);
});

Deno.test("Metrics counts refusals by code and requests by route", async () => {
  const metrics = new Metrics();
  metrics.realtime.rejected("missing_model");
  metrics.realtime.rejected("missing_model");
  metrics.http.answered("/health", { method: "GET", status: 200, durationMs: 250 });
  metrics.http.answered("other", { method: "PROPFIND", status: 404, durationMs: 1 });
  const found = await read(metrics);
  assert.equal(found.get('realtime_handshake_rejections_total{code="missing_model"}'), 2);
  assert.equal(found.get('http_requests_total{endpoint="/health",method="GET",status="200"}'), 1);
  // What a client may choose never becomes a label.
  assert.equal(found.get('http_requests_total{endpoint="other",method="other",status="404"}'), 1);
  assert.equal(found.get('http_request_duration_seconds_sum{endpoint="/health"}'), 0.25);
});

Deno.test("Metrics.render() gives OpenMetrics to those who ask for it", async () => {
  const metrics = filled();
  const accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
  const open = await metrics.render(accept);
  assert.match(open.contentType, /^application\/openmetrics-text/);
  assert.ok(open.text.endsWith("# EOF\n"));
  assert.match(open.text, /^# TYPE realtime_sessions counter$/m);
  assert.match(open.text, /^realtime_sessions_total\{/m);
  const plain = await metrics.render("text/plain");
  assert.match(plain.contentType, /^text\/plain; version=0\.0\.4/);
  assert.doesNotMatch(plain.text, /# EOF/);
});

Deno.test("Metrics.render() does not mix up formats that are asked for at the same time", async () => {
  const metrics = filled();
  const accepts = ["", "application/openmetrics-text", "", "application/openmetrics-text"];
  const all = await Promise.all(accepts.map((accept) => metrics.render(accept)));
  for (const [index, { contentType, text }] of all.entries()) {
    const isOpen = accepts[index] !== "";
    assert.equal(contentType.startsWith("application/openmetrics-text"), isOpen);
    assert.equal(text.endsWith("# EOF\n"), isOpen);
  }
});

Deno.test("Metrics of two routers are apart", async () => {
  const one = new Metrics();
  const other = new Metrics();
  one.realtime.rejected("draining");
  const key = 'realtime_handshake_rejections_total{code="draining"}';
  assert.equal((await read(one)).get(key), 1);
  assert.equal((await read(other)).get(key), undefined);
});

Deno.test("Metrics of the process are of this process", async () => {
  const metrics = new Metrics();
  const first = await read(metrics);
  assert.ok((first.get("process_resident_memory_bytes{}") ?? 0) > 1_000_000);
  const start = first.get("process_start_time_seconds{}") ?? 0;
  assert.ok(Math.abs(start - Date.now() / 1000) < 24 * 3600);
  const second = await read(metrics);
  const cpu = "process_cpu_seconds_total{}";
  assert.ok((second.get(cpu) ?? 0) >= (first.get(cpu) ?? Infinity));
});
