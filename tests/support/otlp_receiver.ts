/**
 * A receiver of what OpenTelemetry exporters send by OTLP over HTTP: in JSON, which it reads, or in protobuf,
 * which it only keeps.
 *
 * @module
 */

/** A span, as far as tests look at it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the first of its trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Whether its status is an error. */
  readonly failed: boolean;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface SentSpan extends Omit<ReceivedSpan, "attributes" | "failed"> {
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code: number };
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const ERROR_STATUS = 2;

/** See the module. */
export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  readonly #bodies: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  private constructor() {
    this.#server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      handler: (request) => this.#take(request),
    });
  }

  /** Listens on a free port. */
  static listen(): OtlpReceiver {
    return new OtlpReceiver();
  }

  /** What makes a Deno process send here, in JSON. */
  get env(): Readonly<Record<string, string>> {
    return { ...this.defaultEnv, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
  }

  /** The same, in what it sends when nobody says in what: protobuf. */
  get defaultEnv(): Readonly<Record<string, string>> {
    return {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
    };
  }

  /** All that has come: spans, logs and metrics. Of protobuf each byte is a character. */
  get text(): string {
    return this.#bodies.join("\n");
  }

  /** Whatever is not the one such span is an error. */
  span(name: string, attributes: Readonly<Record<string, unknown>> = {}): ReceivedSpan {
    const found = this.spans.filter((span) =>
      span.name === name &&
      Object.entries(attributes).every(([key, value]) => span.attributes[key] === value)
    );
    const [span] = found;
    if (span === undefined || found.length > 1) {
      const names = this.spans.map((each) => each.name).join(", ");
      throw new Error(`${found.length} spans '${name}' among: ${names}`);
    }
    return span;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #take(request: Request): Promise<Response> {
    const isJson = request.headers.get("content-type")?.startsWith("application/json") ?? false;
    const decoder = new TextDecoder(isJson ? "utf-8" : "latin1");
    const body = decoder.decode(await request.arrayBuffer());
    this.#bodies.push(body);
    if (!isJson) {
      return new Response(null, { headers: { "content-type": "application/x-protobuf" } });
    }
    if (new URL(request.url).pathname === "/v1/traces") this.#takeSpans(JSON.parse(body));
    return Response.json({});
  }

  #takeSpans({ resourceSpans }: TraceExport): void {
    for (const { spans } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)) {
      this.spans.push(...spans.map(({ attributes, status, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)])),
        failed: status.code === ERROR_STATUS,
      })));
    }
  }
}

/** Of `{ stringValue: "x" }` and its kind; 64-bit integers are texts in JSON. */
function valueOf(value: Readonly<Record<string, unknown>>): unknown {
  const [[kind, held] = ["", undefined]] = Object.entries(value);
  return kind === "intValue" ? Number(held) : held;
}
