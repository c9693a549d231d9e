/** A request that the realtime endpoint lets in, and a router around it, for the tests of this room. */

import assert from "node:assert/strict";
import { KeyRing, RateLimiter } from "../../src/auth/mod.ts";
import { RouterError } from "../../src/http/mod.ts";
import { compileOrigins } from "../../src/origin/mod.ts";
import { type Admission, admit, type Gate, Permits } from "../../src/realtime/mod.ts";
import { type Backend, BackendRegistry, Catalogue, createStrategy } from "../../src/routing/mod.ts";
import { backendConfig } from "../support/live_backends.ts";

/** When requests come, unless a test says otherwise. */
export const NOW_MS = 5_000;
/** What the backend `good` serves. */
export const MODELS = ["voice", "deaf", "undescribed"];

/** A request that is let in, and a router that lets it in. */
export class Scenario {
  method = "GET";
  rawQuery = "model=voice";
  httpVersion: "1.0" | "1.1" | undefined = "1.1";
  readonly headers = new Headers({
    "host": "router.test",
    "authorization": "Bearer secret",
    "upgrade": "websocket",
    "connection": "Upgrade",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version": "13",
  });
  draining = false;
  mode: "permissive" | "blocking" = "blocking";
  expiresAtMs: number | undefined;
  enabled = true;
  allowedModels: readonly string[] = [];
  allowedBackends: readonly string[] = [];
  readonly rateLimiter = new RateLimiter([{ keyId: "key-1", limitPerMinute: 2 }]);
  readonly permits = new Permits(2);
  readonly registry = new BackendRegistry([
    backendConfig("good", { models: MODELS }),
    backendConfig("other", { models: ["else"] }),
  ]);

  get backend(): Backend {
    const backend = this.registry.get("good");
    assert.ok(backend !== undefined);
    return backend;
  }

  gate(nowMs = NOW_MS): Gate {
    const description = { aliases: [], metadata: {} };
    return {
      draining: this.draining,
      keyRing: new KeyRing([{
        key: "secret",
        id: "key-1",
        enabled: this.enabled,
        expiresAtMs: this.expiresAtMs,
        allowedModels: this.allowedModels,
        allowedBackends: this.allowedBackends,
      }], { mode: this.mode }),
      rateLimiter: this.rateLimiter,
      originPolicy: { corsEnabled: false, matcher: compileOrigins([]).matcher },
      catalogue: new Catalogue([[
        { ...description, id: "voice", aliases: ["alias"], capabilities: ["audio", "text"] },
        { ...description, id: "deaf", capabilities: ["text"] },
        { ...description, id: "else", capabilities: ["audio"] },
      ]]),
      registry: this.registry,
      strategy: createStrategy("RoundRobin", { random: () => 0 }),
      permits: this.permits,
      now: () => nowMs,
      unixNow: () => 1_700_000_000_000,
    };
  }

  admit(nowMs = NOW_MS): Admission {
    const { method, rawQuery, headers, httpVersion } = this;
    const request = { method, rawQuery, headers, httpVersion, clientAddress: "192.0.2.1" };
    return admit(request, this.gate(nowMs));
  }

  /** The refusal, or null when it is let in. */
  refusal(): RouterError | null {
    try {
      this.admit();
      return null;
    } catch (error) {
      assert.ok(error instanceof RouterError);
      return error;
    }
  }
}
