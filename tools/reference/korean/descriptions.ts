/**
 * What each field of the configuration means, in Korean. A test compares the paths with those of the schema.
 *
 * @module
 */

/** By the field's path, in the order of the schema. */
export const KOREAN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "server.bind_address":
    "수신할 주소입니다. 하나만 쓰거나 목록으로 씁니다. 포트 0은 시스템이 고르게 합니다.",
  "server.tls.cert": "인증서와 그 체인이 담긴 PEM 파일입니다.",
  "server.tls.key": "개인 키가 담긴 PEM 파일입니다.",
  "server.runtime_dir":
    "내부 소켓을 두는 폴더입니다. 소켓은 이 폴더 아래의 모드 0700 임의 이름 폴더에 놓입니다.",
  "server.drain_timeout":
    "SIGTERM이나 SIGINT를 받은 뒤 진행 중인 세션과 HTTP 응답을 기다려 주는 시간입니다.",
  "server.trust_proxy": "클라이언트 주소를 X-Forwarded-For의 맨 오른쪽 항목에서 가져옵니다.",
  "server.allowed_hosts":
    "요청의 Host로 허용할 이름입니다. name, name:port, *.domain, IP 리터럴을 쓸 수 있고 포트가 없으면 모든 포트를 뜻합니다. 비어 있으면 모두 허용하며, DNS 리바인딩을 막지 못합니다.",
  "server.cors.enabled": "나열한 origin의 브라우저 페이지가 라우터를 쓸 수 있게 합니다.",
  "server.cors.allow_origins":
    '허용할 origin입니다. 정확한 origin, "*", 모든 포트를 뜻하는 "<scheme>://<host>:*"나 "<host>:*"를 쓸 수 있습니다. "null" origin은 목록에 있어도 거부합니다.',
  "server.cors.allow_methods": "프리플라이트에서 허용하는 메서드입니다.",
  "server.cors.allow_headers": "프리플라이트에서 허용하는 요청 헤더입니다.",
  "server.cors.expose_headers": "페이지가 읽을 수 있는 응답 헤더입니다.",
  "server.cors.allow_credentials": "페이지가 쿠키 등의 자격 증명을 보낼 수 있는지를 정합니다.",
  "server.cors.max_age": "브라우저가 프리플라이트 결과를 캐시할 수 있는 시간입니다.",

  "realtime.enabled": "/v1/realtime과 /realtime을 서빙합니다. 꺼져 있으면 둘 다 404로 응답합니다.",
  "realtime.max_sessions":
    "동시 세션 상한입니다. 이를 넘는 요청은 503으로 거부합니다. 메모리는 최악의 경우 대략 max_sessions × 2 × 4 MiB를 씁니다.",
  "realtime.handshake_timeout":
    "백엔드의 DNS 조회, TCP 연결, TLS, 업그레이드 응답을 모두 합한 기한입니다.",
  "realtime.idle_timeout":
    '이 시간 동안 어느 방향으로도 메시지가 없으면 세션을 종료합니다. "0"은 이 타이머를 끕니다.',
  "realtime.max_session_duration":
    '세션이 시작되고 이 시간이 지나면 종료합니다. "0"은 무제한입니다.',
  "realtime.backend_path":
    "백엔드의 실시간 엔드포인트 경로입니다. 백엔드 기본 URL 뒤에 결합합니다.",

  "api_keys.mode":
    "permissive: 유효한 키가 없는 호출자를 익명으로 받습니다. blocking: 401로 거부합니다.",
  "api_keys.api_keys_file":
    "항목을 더 담은 YAML 파일입니다. 목록이거나, 키 api_keys 아래에 목록을 둡니다. 경로는 이 파일의 폴더를 기준으로 합니다. 생략하면 쓰지 않습니다.",
  "api_keys.api_keys[].key":
    "키 자체입니다. key_sha256을 쓰면 생략합니다. 둘 중 정확히 하나가 있어야 합니다.",
  "api_keys.api_keys[].key_sha256":
    "키의 SHA-256을 16진수로 쓴 값입니다. 파일에 비밀 값을 남기지 않습니다. key를 쓰면 생략합니다.",
  "api_keys.api_keys[].id": "로그, 메트릭, 사용량 레코드에 쓰는 키의 고유한 이름입니다.",
  "api_keys.api_keys[].name": "사람이 읽을 이름입니다. 생략하면 없습니다.",
  "api_keys.api_keys[].user_id": "사용량 레코드에 남길 사용자입니다. 생략하면 없습니다.",
  "api_keys.api_keys[].organization_id": "사용량 레코드에 남길 조직입니다. 생략하면 없습니다.",
  "api_keys.api_keys[].enabled": "비활성화한 키는 알 수 없는 키로 취급합니다.",
  "api_keys.api_keys[].expires_at": "이 시각부터 키를 거부합니다. 생략하면 만료되지 않습니다.",
  "api_keys.api_keys[].rate_limit":
    "분당 요청 수입니다. 업그레이드는 요청 하나로 셉니다. 생략하면 제한이 없습니다.",
  "api_keys.api_keys[].allowed_models":
    "키가 요청할 수 있는 이름입니다. 클라이언트가 쓴 그대로 비교합니다. 비어 있으면 모두 허용합니다.",
  "api_keys.api_keys[].allowed_backends":
    "키가 쓸 수 있는 백엔드입니다. 비어 있으면 모두 허용합니다.",

  "model_metadata_file":
    "키 models 아래에 모델 메타데이터를 더 담은 YAML 파일입니다. 경로는 이 파일의 폴더를 기준으로 합니다. 생략하면 쓰지 않습니다.",

  "backends[].name": "고유한 이름입니다. 메트릭과 x-backend 헤더에 씁니다.",
  "backends[].url":
    "기본 URL입니다. 경로가 있어도 됩니다. http와 ws는 같은 뜻이고 https와 wss도 그렇습니다.",
  "backends[].type": "백엔드의 종류입니다.",
  "backends[].api_key":
    "자격 증명입니다. realtime.auth가 정하는 방식으로 보냅니다. 생략하면 보내지 않습니다.",
  "backends[].org_id": "OpenAI-Organization 헤더로 보냅니다. 생략하면 보내지 않습니다.",
  "backends[].headers": "이 백엔드에 더 보낼 헤더입니다.",
  "backends[].weight": "WeightedRoundRobin에서 이 백엔드가 받을 요청의 비중입니다.",
  "backends[].models":
    "백엔드가 서빙하는 모델입니다. 생략하면 백엔드의 GET /v1/models로 알아냅니다.",
  "backends[].model_configs[].id": "모델의 정식 이름입니다.",
  "backends[].model_configs[].aliases": "같은 모델의 다른 이름입니다.",
  "backends[].model_configs[].metadata.display_name":
    "사람이 읽을 이름입니다. 생략하면 id를 씁니다.",
  "backends[].model_configs[].metadata.summary": "모델을 한 줄로 설명합니다. 생략하면 없습니다.",
  "backends[].model_configs[].metadata.description": "더 긴 설명입니다. 생략하면 없습니다.",
  "backends[].model_configs[].metadata.capabilities":
    "모델의 기능입니다. 실시간 세션에는 audio가 필요합니다. 생략하면 다음 순위 메타데이터의 값을 따릅니다.",
  "backends[].model_configs[].metadata.limits":
    "context_window, max_output_tokens 같은 이름별 토큰 한도입니다. 생략하면 알 수 없음입니다.",
  "backends[].model_configs[].metadata.pricing":
    "이름별 가격입니다. 보여 주기만 하고 과금하지 않습니다. 생략하면 알 수 없음입니다.",
  "backends[].model_configs[].metadata.knowledge_cutoff":
    "모델이 아는 지식의 기준 시점입니다. 생략하면 알 수 없음입니다.",
  "backends[].realtime.path":
    "실시간 엔드포인트 경로입니다. URL의 경로와 realtime.backend_path를 대신합니다. 생략하면 그 둘을 결합해 씁니다.",
  "backends[].realtime.auth":
    "세션, HTTP, 헬스 체크에서 api_key를 보내는 방식입니다. Authorization: Bearer, api-key 헤더, 보내지 않음 중에서 고릅니다.",
  "backends[].health_check.enabled":
    "이 백엔드를 프로브할지 정합니다. 프로브하지 않으면 라우팅할 수 있는 것으로 봅니다.",
  "backends[].health_check.endpoint":
    "프로브할 경로입니다. 생략하면 health_checks.endpoint를 씁니다.",
  "backends[].health_check.interval":
    "프로브와 프로브 사이의 간격입니다. 생략하면 health_checks.interval을 씁니다.",
  "backends[].health_check.timeout":
    "프로브 하나의 제한 시간입니다. 생략하면 health_checks.timeout을 씁니다.",

  "selection_strategy": "여러 후보 가운데 하나를 고르는 방법입니다.",

  "health_checks.enabled": "백엔드를 프로브할지 정합니다.",
  "health_checks.interval": "한 백엔드의 프로브와 프로브 사이의 간격입니다.",
  "health_checks.timeout": "프로브 하나의 제한 시간입니다.",
  "health_checks.unhealthy_threshold": "연속으로 이만큼 실패하면 백엔드를 down으로 봅니다.",
  "health_checks.healthy_threshold": "down이던 백엔드가 연속으로 이만큼 성공하면 ready로 봅니다.",
  "health_checks.endpoint":
    "프로브할 경로입니다. 생략하면 /v1/models를 쓰고, 거기서 404나 405가 오면 /health, 그다음 /v1/health/ready를 씁니다.",
  "health_checks.warmup_check_interval":
    "503으로 응답하는 백엔드의 프로브와 프로브 사이의 간격입니다.",
  "health_checks.max_warmup_duration":
    "백엔드가 503으로 응답해도 down으로 보지 않고 기다려 주는 시간입니다.",

  "circuit_breaker.enabled": "계속 실패하는 백엔드에 요청을 보내지 않을지 정합니다.",
  "circuit_breaker.failure_threshold": "연속으로 이만큼 실패하면 서킷이 열립니다.",
  "circuit_breaker.failure_rate_threshold":
    "최근 60초 동안 minimum_requests만큼 요청이 있은 뒤, 실패 비율이 이 값에 이르면 서킷이 열립니다.",
  "circuit_breaker.minimum_requests":
    "실패 비율을 따지기 시작하는 데 필요한 최근 구간의 요청 수입니다.",
  "circuit_breaker.timeout_seconds": "열린 서킷이 반열림이 되기 전까지 요청을 막는 시간입니다.",
  "circuit_breaker.half_open_max_requests": "반열림 서킷이 동시에 통과시키는 요청 수입니다.",
  "circuit_breaker.half_open_success_threshold": "반열림 서킷을 닫는 데 필요한 성공 횟수입니다.",
  "circuit_breaker.failure_status_codes":
    "실패로 세는 HTTP 상태 코드입니다. 실시간 세션에서는 101이 아닌 모든 응답을 실패로 셉니다.",
  "circuit_breaker.backends.*.failure_threshold":
    "circuit_breaker.failure_threshold 대신 쓸 값입니다. 생략하면 그 값을 씁니다.",
  "circuit_breaker.backends.*.timeout_seconds":
    "circuit_breaker.timeout_seconds 대신 쓸 값입니다. 생략하면 그 값을 씁니다.",

  "timeouts.request.standard.total":
    "요청부터 응답이 끝날 때까지의 제한 시간입니다. 요청 본문을 읽는 데에도 같은 시간을 따로 적용합니다.",
  "timeouts.request.streaming.first_byte":
    "시도마다, 백엔드에 요청한 때부터 응답 본문의 첫 바이트까지의 제한 시간입니다.",
  "timeouts.request.streaming.total": "요청부터 스트림이 끝날 때까지의 제한 시간입니다.",
  "timeouts.limits": "호환을 위해 받아들이지만 아무 효과가 없습니다.",

  "admin.bind_address":
    "/admin, /metrics, /console만 따로 서빙하는 수신 주소입니다. 비어 있으면 기본 주소에서 함께 서빙합니다.",
  "admin.auth.method":
    "none은 이 머신에서 직접 보낸 요청만 허용합니다. 나머지는 자격 증명이 있는 모든 호출자를 허용합니다.",
  "admin.auth.token": "bearer_token 방식의 자격 증명입니다.",
  "admin.auth.username": "basic 방식의 사용자 이름입니다.",
  "admin.auth.password": "basic 방식의 비밀번호입니다.",
  "admin.auth.api_key": "api_key 방식의 자격 증명입니다. X-API-Key 헤더로 보냅니다.",

  "metrics.enabled": "메트릭을 서빙할지 정합니다.",
  "metrics.endpoint": "메트릭의 경로입니다.",
  "metrics.auth_token": "수집기가 보내야 하는 Bearer 토큰입니다. 비어 있으면 필요 없습니다.",

  "control_plane.enabled": "허브를 쓸지 정합니다.",
  "control_plane.url":
    "허브의 기본 URL입니다. 생략하면 없습니다. enabled를 켜면 반드시 있어야 합니다.",
  "control_plane.token":
    "허브에 보낼 Bearer 토큰입니다. 생략하면 없습니다. enabled를 켜면 반드시 있어야 합니다.",
  "control_plane.router_id":
    "허브에서 이 라우터를 구분하는 이름입니다. 레플리카마다 다른 이름을 주세요.",
  "control_plane.flush_interval": "배치와 배치 사이의 간격입니다.",
  "control_plane.batch_size": "배치 하나에 담는 최대 레코드 수입니다.",
  "control_plane.spool_path": "허브로 보내기 전까지 레코드를 쌓아 두는 데이터베이스입니다.",
  "control_plane.spool_max_records":
    "쌓아 둘 수 있는 레코드 수입니다. 넘치면 가장 오래된 것부터 버립니다.",
  "control_plane.credentials_refresh":
    "백엔드 자격 증명을 요청하고 다음번에 요청하기까지의 간격입니다.",

  "logging.level": "기록할 가장 낮은 심각도입니다.",
  "logging.format": "json: 한 줄에 객체 하나를 씁니다. pretty: 사람이 읽기 좋게 씁니다.",

  "console.enabled": "/console의 웹 페이지를 서빙합니다. 데이터를 보려면 admin 인증이 필요합니다.",
};
