import type { Subject } from "../run/subject.ts";

/** An nginx tunnel. One process does everything; what it relays it does not look at. */
export const subject: Subject = {
  name: "nginx",
  title: "nginx tunnel",
  order: 1,
  path: "/",
  version: { command: ["nginx", "-v"], pattern: /nginx\/(\S+)/ },
  launch: ({ port, backendPort, folder }) => ({
    command: ["nginx", "-p", folder, "-c", `${folder}/nginx.conf`, "-e", "stderr"],
    files: {
      "nginx.conf": `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://127.0.0.1:${backendPort};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      proxy_read_timeout 1h;
    }
  }
}
`,
    },
  }),
};
