/** nginx with the site of `deploy/nginx`: `nginx -t`, and sessions over TLS through it. */

import { startNginx } from "./nginx.ts";
import { testSessionsThrough } from "./proxied_sessions.ts";

testSessionsThrough("nginx", startNginx);
