/**
 * Configuration files that several tests use.
 *
 * @module
 */

/** Every field of spec §2, each with a value. */
export const FULL = `
server:
  bind_address: ["0.0.0.0:8080", "[::1]:8080"]
  tls: { cert: /etc/rr/cert.pem, key: /etc/rr/key.pem }
  runtime_dir: "/tmp/realtime-router"
  drain_timeout: "30s"
  trust_proxy: false
  allowed_hosts: [router.example]
  cors:
    enabled: true
    allow_origins: ["https://console.example.com", "http://localhost:*"]
    allow_methods: ["GET", "POST", "OPTIONS"]
    allow_headers: ["authorization", "content-type", "x-backend", "x-request-id"]
    expose_headers: ["x-request-id", "x-served-backend"]
    allow_credentials: false
    max_age: "1h"
realtime:
  enabled: true
  max_sessions: 256
  handshake_timeout: "10s"
  idle_timeout: "60s"
  max_session_duration: "0"
  backend_path: "/v1/realtime"
api_keys:
  mode: blocking
  api_keys:
    - key: "\${KEY_1}"
      id: "key-1"
      name: "console"
      user_id: "u1"
      organization_id: "o1"
      enabled: true
      expires_at: "2027-01-01T00:00:00Z"
      rate_limit: 600
      allowed_models: [voice]
      allowed_backends: [voicechat]
    - key_sha256: "\${DIGEST_2}"
      id: "key-2"
backends:
  - name: voicechat
    url: "http://10.0.0.5:8000"
    type: vllm
    api_key: "\${VOICE_KEY}"
    org_id: "org-1"
    headers: { X-Team: "\${TEAM}" }
    weight: 1
    models: [nvidia-nemotronlabs-voicechat-11b]
    model_configs:
      - id: my-voice
        aliases: [voice]
        metadata: { display_name: "My voice", capabilities: [audio, text] }
    realtime:
      path: "/openai/v1/realtime"
      auth: bearer
    health_check: { enabled: true, endpoint: "/health", interval: "30s", timeout: "10s" }
selection_strategy: RoundRobin
health_checks:
  enabled: true
  interval: "30s"
  timeout: "10s"
  unhealthy_threshold: 3
  healthy_threshold: 2
  endpoint: "/v1/models"
  warmup_check_interval: "1s"
  max_warmup_duration: "300s"
circuit_breaker:
  enabled: true
  failure_threshold: 5
  failure_rate_threshold: 0.5
  minimum_requests: 10
  timeout_seconds: 60
  half_open_max_requests: 3
  half_open_success_threshold: 2
  failure_status_codes: [500, 502, 503, 504]
  backends: { voicechat: { failure_threshold: 2, timeout_seconds: 5 } }
timeouts:
  request:
    standard: { total: "120s" }
    streaming: { first_byte: "60s", total: "600s" }
  limits: {}
admin:
  bind_address: "127.0.0.1:9090"
  auth:
    method: basic
    token: "\${ADMIN_TOKEN}"
    username: ops
    password: "\${ADMIN_PASSWORD}"
    api_key: "\${ADMIN_KEY}"
metrics: { enabled: true, endpoint: "/metrics", auth_token: "\${SCRAPE_TOKEN}" }
control_plane:
  enabled: true
  url: "https://hub.example.com"
  token: "\${HUB_TOKEN}"
  router_id: "router-1"
  flush_interval: "5s"
  batch_size: 500
  spool_path: "data/usage.db"
  spool_max_records: 1000000
  credentials_refresh: "60s"
logging: { level: info, format: json }
console: { enabled: false }
`;

/** The secrets of {@link FULL}, by variable. */
export const SECRETS: Readonly<Record<string, string>> = {
  KEY_1: "sk-key-one",
  DIGEST_2: "ab".repeat(32),
  VOICE_KEY: "sk-voice",
  TEAM: "team-secret",
  ADMIN_TOKEN: "admin-token",
  ADMIN_PASSWORD: "admin password",
  ADMIN_KEY: "admin-key",
  SCRAPE_TOKEN: "scrape-token",
  HUB_TOKEN: "hub-token",
};

/** Reads {@link SECRETS}. */
export function getSecret(name: string): string | undefined {
  return Object.hasOwn(SECRETS, name) ? SECRETS[name] : undefined;
}
