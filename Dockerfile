# syntax=docker/dockerfile:1
# The router only. Build it from the root of the project: docker build -t realtime-router .

FROM denoland/deno:2.9.6 AS build
ENV DENO_DIR=/deno-dir
WORKDIR /app
# What only tests and the demo import is taken off; the lock keeps the digests of the rest.
COPY deno.json deno.lock ./
# deno.json names it.
COPY src/console/page/deno.json src/console/page/
RUN deno remove --lockfile-only \
      @openai/agents-realtime @peculiar/x509 @types/ws axe-core echarts fast-check openai \
      playwright-core preact reflect-metadata uplot ws \
 && deno install --frozen
COPY main.ts ./
COPY src ./src
# Fails when the router needs a package that is not there.
RUN deno install --frozen --entrypoint main.ts \
 && deno run --cached-only --frozen --no-prompt main.ts --version \
 && rm -f /deno-dir/*_cache_v* \
 && mkdir /empty

# No shell and no package manager: Deno, its libraries and the certificates of public authorities.
FROM denoland/deno:distroless-2.9.6
# Backends are verified against the system's store. The runtime must not look for newer versions of itself.
ENV DENO_DIR=/deno-dir \
    DENO_TLS_CA_STORE=system \
    DENO_NO_UPDATE_CHECK=1 \
    NO_COLOR=1
WORKDIR /app
# Root owns the program, so that the router cannot change it.
COPY --from=build /deno-dir /deno-dir
COPY --from=build /app /app
# The folder of control_plane.spool_path.
COPY --from=build --chown=65532:65532 /empty /app/data
USER 65532:65532
VOLUME ["/app/data"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s \
  CMD ["/bin/deno", "run", "--no-prompt", "--cached-only", "--frozen", "--allow-net", "--allow-read=/etc/realtime-router", "--allow-env", "/app/main.ts", "--config", "/etc/realtime-router/config.yaml", "--healthcheck"]
# Mount the configuration at /etc/realtime-router. Arguments of `docker run` are the router's: --check.
ENTRYPOINT ["/bin/deno", "run", "--no-prompt", "--cached-only", "--frozen", "--allow-net", "--allow-read=/etc/realtime-router,/tmp/realtime-router,/app/data", "--allow-write=/tmp/realtime-router,/app/data", "--allow-env", "/app/main.ts", "--config", "/etc/realtime-router/config.yaml"]
