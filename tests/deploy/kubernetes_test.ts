/** The Kubernetes manifests: they agree with each other, with the image and with the configuration. */

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { stagesOf } from "./dockerfile.ts";
import { readManifests } from "./kubernetes.ts";
import { metricNames } from "./metric_names.ts";
import { configOf, pathOf, textOf } from "./project_files.ts";

const MIB = 1024 * 1024;
const manifests = await readManifests();
const { kustomization, deployment, services, scaler, monitor } = manifests;
const config = await configOf("deploy/kubernetes/config.yaml");
const pod = deployment.spec.template.spec;
const [router] = pod.containers;

Deno.test("kubernetes: the kustomization has every manifest and each is there", async () => {
  const files = await Array.fromAsync(Deno.readDir(pathOf("deploy/kubernetes")));
  const apart = ["config.yaml", "kustomization.yaml", "prometheus-adapter-values.yaml"];
  const expected = files.map(({ name }) => name).filter((name) => !apart.includes(name));
  assert.deepEqual(kustomization.resources.toSorted(), expected.toSorted());
  assert.equal(manifests.namespace.metadata.name, kustomization.namespace);
});

Deno.test("kubernetes: names that stand for each other are the same", () => {
  const [{ name }] = kustomization.configMapGenerator;
  assert.deepEqual(pod.volumes.flatMap(({ configMap }) => configMap?.name ?? []), [name]);
  assert.equal(router.image, kustomization.images[0].name);
  assert.equal(pod.serviceAccountName, manifests.account.metadata.name);
  assert.deepEqual(scaler.spec.scaleTargetRef, {
    apiVersion: deployment.apiVersion,
    kind: deployment.kind,
    name: deployment.metadata.name,
  });
  assert.equal(kustomization.images[0].newTag, manifest.version);
});

Deno.test("kubernetes: whatever selects pods selects the router's", () => {
  const { labels } = deployment.spec.template.metadata;
  assert.ok(Object.keys(labels).length > 0);
  const selectors = [
    deployment.spec.selector.matchLabels,
    manifests.budget.spec.selector.matchLabels,
    ...services.map(({ spec }) => spec.selector),
    ...pod.topologySpreadConstraints.map(({ labelSelector }) => labelSelector.matchLabels),
    kustomization.labels[0].pairs,
  ];
  assert.equal(selectors.length, 6);
  for (const selector of selectors) assert.deepEqual(selector, labels);
});

Deno.test("kubernetes: ports are those of the configuration, and services lead to them", () => {
  const ports = router.ports.map(({ name, containerPort }) => [name, containerPort]);
  assert.deepEqual(ports, [
    ["http", config.server.bind_address[0]?.port],
    ["operator", config.admin.bind_address[0]?.port],
  ]);
  const targets = services.map(({ spec }) => spec.ports.map(({ targetPort }) => targetPort));
  assert.deepEqual(targets, [["http"], ["operator"]]);
});

Deno.test("kubernetes: probes ask for life and readiness", () => {
  const asked = [router.startupProbe, router.livenessProbe, router.readinessProbe]
    .map(({ httpGet }) => httpGet);
  assert.deepEqual(asked, [
    { path: "/health", port: "http" },
    { path: "/health", port: "http" },
    { path: "/readyz", port: "http" },
  ]);
});

Deno.test("kubernetes: a pod has the time of its preStop, its drain and 10 s", () => {
  const { seconds } = router.lifecycle.preStop.sleep;
  const drainSeconds = config.server.drain_timeout / 1000;
  assert.equal(pod.terminationGracePeriodSeconds, seconds + drainSeconds + 10);
});

Deno.test("kubernetes: the pod runs as the image's user and can gain or write nothing else", async () => {
  const image = stagesOf(await textOf("Dockerfile")).at(-1) ?? [];
  const [user] = image.find(({ name }) => name === "USER")?.text.split(":").map(Number) ?? [];
  assert.deepEqual(pod.securityContext, {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: user,
    fsGroup: user,
    seccompProfile: { type: "RuntimeDefault" },
  });
  assert.deepEqual(router.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  assert.equal(pod.automountServiceAccountToken, false);
});

Deno.test("kubernetes: volumes are where the image reads and writes", () => {
  const mounts = router.volumeMounts.map(({ mountPath, readOnly }) => [mountPath, readOnly]);
  assert.deepEqual(mounts, [
    ["/etc/realtime-router", true],
    ["/tmp", undefined],
    ["/app/data", undefined],
  ]);
  const mounted = router.volumeMounts.map(({ name }) => name);
  assert.deepEqual(mounted, pod.volumes.map(({ name }) => name));
  assert.ok(config.server.runtime_dir.startsWith("/tmp/"));
});

Deno.test("kubernetes: memory has room for the worst case of max_sessions", () => {
  const limit = Number(/^(\d+)Mi$/.exec(router.resources.limits.memory)?.[1]) * MIB;
  assert.ok(limit >= config.realtime.max_sessions * 2 * 4 * MIB + 256 * MIB);
});

Deno.test("kubernetes: scales on sessions, before pods are full, as the adapter serves them", () => {
  const [{ pods }] = scaler.spec.metrics;
  assert.ok(metricNames.has(pods.metric.name));
  const share = Number(pods.target.averageValue) / config.realtime.max_sessions;
  assert.ok(share > 0.5 && share < 0.7, String(share));
  assert.ok(scaler.spec.minReplicas >= 2 && scaler.spec.minReplicas < scaler.spec.maxReplicas);
  const [rule] = manifests.adapter.rules.custom;
  assert.ok(rule.seriesQuery.startsWith(`${pods.metric.name}{`));
  assert.ok(manifests.budget.spec.maxUnavailable < scaler.spec.minReplicas);
});

Deno.test("kubernetes: the monitor scrapes the operators' service as Prometheus' own file does", () => {
  const [endpoint] = monitor.spec.endpoints;
  const operator = services.find(({ metadata }) =>
    Object.entries(monitor.spec.selector.matchLabels)
      .every(([name, value]) => metadata.labels?.[name] === value)
  );
  assert.deepEqual(operator?.spec.ports.map(({ name }) => name), [endpoint.port]);
  assert.equal(endpoint.path, config.metrics.endpoint);
  assert.equal(endpoint.relabelings[0].replacement, "realtime-router");
});
