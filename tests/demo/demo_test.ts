import assert from "node:assert/strict";
import { type DemoRouter, runDemo, startDemoBackend } from "../../demo/mod.ts";

/** Stands for a router by handing out the backend's own address. */
class DirectRouter {
  readonly backendUrls: string[] = [];
  closed = 0;

  readonly start = (backendUrl: string): Promise<DemoRouter> => {
    this.backendUrls.push(backendUrl);
    return Promise.resolve({
      url: backendUrl,
      usage: () => Promise.resolve({ input: 10, cached: 0, output: 78 }),
      consoleUrl: "http://127.0.0.1:1/console",
      close: () => {
        this.closed++;
        return Promise.resolve();
      },
    });
  };
}

Deno.test("runDemo: with once it has a turn, says where to connect, and ends", async () => {
  const router = new DirectRouter();
  const lines: string[] = [];
  await runDemo({
    startRouter: router.start,
    once: true,
    log: (line) => lines.push(line),
    untilStopped: () => Promise.reject(new Error("not to be asked")),
    backendPort: 0,
  });
  const [url = ""] = router.backendUrls;
  assert.equal(router.closed, 1);
  assert.ok(lines.includes(`Connect a client to  ${url}?model=demo-voice`));
  assert.ok(lines.some((line) => line.includes("response.output_audio.delta ×15")));
  assert.ok(
    lines.some((line) => /metered by router +input 10, of it cached 0, output 78/.test(line)),
  );
});

Deno.test("runDemo: takes the next port when one is taken, and stays until stopped", async () => {
  await using taken = await startDemoBackend();
  const router = new DirectRouter();
  const stopped = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const lines: string[] = [];
  const running = runDemo({
    startRouter: router.start,
    once: false,
    log: (line) => lines.push(line),
    untilStopped: () => {
      asked.resolve();
      return stopped.promise;
    },
    backendPort: taken.port,
  });
  await asked.promise;
  assert.equal(router.closed, 0);
  const port = Number(new URL(router.backendUrls[0] ?? "").port);
  assert.ok(port > taken.port && port < taken.port + 20);
  assert.ok(lines.includes("Look at it at        http://127.0.0.1:1/console"));
  stopped.resolve();
  await running;
  assert.equal(router.closed, 1);
});

Deno.test("runDemo: closes everything when the turn fails", async () => {
  let closed = 0;
  const demo = runDemo({
    startRouter: () =>
      Promise.resolve({
        url: "ws://127.0.0.1:9/v1/realtime",
        close: () => {
          closed++;
          return Promise.resolve();
        },
      }),
    once: true,
    log: () => {},
    untilStopped: () => Promise.resolve(),
    backendPort: 0,
  });
  await assert.rejects(demo, /The connection failed/);
  assert.equal(closed, 1);
});
