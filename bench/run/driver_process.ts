/**
 * The driver as a process: one for all loads of a run, so that its code is compiled when it counts.
 *
 * @module
 */

import { linesOf } from "../driver/lines.ts";
import type { DriverAnswer, DriverRequest, LoadRequest } from "../driver/main.ts";
import { letsCoresSleep } from "../plan/loads.ts";
import type { Figures } from "../report/figures.ts";
import { AwakeCores } from "./awake_cores.ts";
import { canPin, pinned } from "./pinning.ts";
import { DRIVER_CORE, SUBJECT_CORE } from "./running_subject.ts";

/** A running driver. */
export class DriverProcess implements AsyncDisposable {
  /** Where its backend listens. */
  readonly backendPort: number;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #lines: AsyncGenerator<string>;
  readonly #cores: AwakeCores;

  private constructor(child: Deno.ChildProcess, { lines, backendPort, cores }: {
    readonly lines: AsyncGenerator<string>;
    readonly backendPort: number;
    readonly cores: AwakeCores;
  }) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#lines = lines;
    this.#cores = cores;
    this.backendPort = backendPort;
  }

  /** Starts one. It has every permission: it reads /proc and calls the C library. */
  static async start(): Promise<DriverProcess> {
    if (Deno.build.os !== "linux") {
      throw new Error("benchmarks need Linux: /proc and the C library's epoll");
    }
    const hasCores = await canPin();
    const path = new URL("../driver/main.ts", import.meta.url).pathname;
    const [program, ...args] = await pinned(
      [Deno.execPath(), "run", "-A", "--no-prompt", path, ...hasCores ? [`${SUBJECT_CORE}`] : []],
      DRIVER_CORE,
    );
    const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
    const lines = linesOf(child.stdout);
    const backendPort = Number((await lines.next()).value);
    if (!(backendPort > 0)) throw new Error("the driver did not start");
    const cores = new AwakeCores(hasCores ? [SUBJECT_CORE, DRIVER_CORE] : []);
    return new DriverProcess(child, { lines, backendPort, cores });
  }

  /**
   * Runs a load, on cores that are kept awake where processes have their own, unless the load wants them as
   * they are.
   *
   * @throws {Error} When a session failed.
   */
  async run(request: Omit<LoadRequest, "ask" | "awakePids">): Promise<Figures> {
    if (letsCoresSleep(request.load)) await this.#cores.letSleep();
    else await this.#cores.keepAwake();
    const answer = await this.#ask({ ask: "load", ...request, awakePids: this.#cores.pids });
    if (!("figures" in answer)) throw new Error("the driver did not answer with figures");
    return answer.figures;
  }

  /** Nanoseconds from the subject's core to the driver's and back; undefined without cores of their own. */
  async distanceNs(): Promise<number | undefined> {
    const answer = await this.#ask({ ask: "distance" });
    return "distanceNs" in answer ? answer.distanceNs : undefined;
  }

  /** Lets the cores sleep until the next load. */
  async rest(): Promise<void> {
    await this.#cores.letSleep();
  }

  async #ask(request: DriverRequest): Promise<DriverAnswer> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the driver ended");
    const answer: DriverAnswer = JSON.parse(value);
    if ("fault" in answer) throw new Error(answer.fault);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#lines.return(undefined);
    await this.#child.status;
    await this.#cores[Symbol.asyncDispose]();
  }
}
