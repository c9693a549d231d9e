/**
 * The effective value of an empty configuration, written out (spec §2).
 *
 * @module
 */

import type { Config } from "../../../src/config/mod.ts";

export const DEFAULTS: Config = {
  server: {
    bind_address: [{ hostname: "0.0.0.0", port: 8080, text: "0.0.0.0:8080" }],
    runtime_dir: "/tmp/realtime-router",
    drain_timeout: 30_000,
    trust_proxy: false,
    allowed_hosts: [],
    cors: {
      enabled: false,
      allow_origins: [],
      allow_methods: ["GET", "POST", "OPTIONS"],
      allow_headers: ["authorization", "content-type", "x-backend", "x-request-id"],
      expose_headers: ["x-request-id", "x-served-backend"],
      allow_credentials: false,
      max_age: 3_600_000,
    },
  },
  realtime: {
    enabled: false,
    max_sessions: 256,
    handshake_timeout: 10_000,
    idle_timeout: 60_000,
    max_session_duration: 0,
    backend_path: "/v1/realtime",
  },
  api_keys: { mode: "permissive", api_keys: [] },
  backends: [],
  selection_strategy: "RoundRobin",
  health_checks: {
    enabled: true,
    interval: 30_000,
    timeout: 10_000,
    unhealthy_threshold: 3,
    healthy_threshold: 2,
    warmup_check_interval: 1_000,
    max_warmup_duration: 300_000,
  },
  circuit_breaker: {
    enabled: true,
    failure_threshold: 5,
    failure_rate_threshold: 0.5,
    minimum_requests: 10,
    timeout_seconds: 60,
    half_open_max_requests: 3,
    half_open_success_threshold: 2,
    failure_status_codes: [500, 502, 503, 504],
    backends: {},
  },
  timeouts: {
    request: { standard: { total: 120_000 }, streaming: { first_byte: 60_000, total: 600_000 } },
    limits: {},
  },
  admin: {
    bind_address: [],
    auth: { method: "none", token: "", username: "", password: "", api_key: "" },
  },
  metrics: { enabled: true, endpoint: "/metrics", auth_token: "" },
  control_plane: {
    enabled: false,
    router_id: "router-1",
    flush_interval: 5_000,
    batch_size: 500,
    spool_path: "data/usage.db",
    spool_max_records: 1_000_000,
    credentials_refresh: 60_000,
  },
  logging: { level: "info", format: "json" },
  console: { enabled: false },
};
