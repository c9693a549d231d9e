/** What `kubectl apply -k deploy/kubernetes` gives to a cluster. */

import assert from "node:assert/strict";
import { z } from "zod";
import { parseYaml } from "../../src/config/mod.ts";
import { needing, PROGRAMS, run } from "./installed_program.ts";
import { pathOf, textOf } from "./project_files.ts";

const labels = z.record(z.string(), z.string());
const selector = z.object({ matchLabels: labels });
const object = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string().optional(), labels }),
});
const deployment = z.object({
  spec: z.object({
    selector,
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        containers: z.tuple([z.object({ image: z.string() })]),
        volumes: z.array(z.object({ configMap: z.object({ name: z.string() }).optional() })),
      }),
    }),
  }),
});

Deno.test({
  ...needing("kubectl", "kubectl kustomize: what is applied fits together"),
  async fn() {
    const folder = pathOf("deploy/kubernetes");
    const { code, text } = await run(PROGRAMS.kubectl, { args: ["kustomize", folder] });
    assert.equal(code, 0, text);
    const documents = text.split(/^---$/m).map((document) => parseYaml(document));
    const kinds = new Map(documents.map((document) => [object.parse(document).kind, document]));
    const of = (kind: string) =>
      documents.filter((document) => object.parse(document).kind === kind);
    assert.deepEqual([...kinds.keys()].toSorted(), [
      "ConfigMap",
      "Deployment",
      "HorizontalPodAutoscaler",
      "Namespace",
      "PodDisruptionBudget",
      "Service",
      "ServiceAccount",
      "ServiceMonitor",
    ]);

    const { spec: { selector: own, template } } = deployment.parse(kinds.get("Deployment"));
    const pod = template.metadata.labels;
    assert.deepEqual(own.matchLabels, pod);
    const budget = z.object({ spec: z.object({ selector }) }).parse(
      kinds.get("PodDisruptionBudget"),
    );
    assert.deepEqual(budget.spec.selector.matchLabels, pod);
    for (const service of of("Service")) {
      const { spec } = z.object({ spec: z.object({ selector: labels }) }).parse(service);
      assert.deepEqual(spec.selector, pod);
    }

    const map = z.object({
      metadata: z.object({ name: z.string() }),
      data: z.strictObject({ "config.yaml": z.string() }),
    }).parse(kinds.get("ConfigMap"));
    assert.equal(map.data["config.yaml"], await textOf("deploy/kubernetes/config.yaml"));
    assert.match(map.metadata.name, /^realtime-router-[a-z0-9]{10}$/);
    assert.deepEqual(
      template.spec.volumes.flatMap(({ configMap }) => configMap?.name ?? []),
      [map.metadata.name],
    );
    assert.match(template.spec.containers[0].image, /^registry\.example\.com\/realtime-router:\d/);
    const namespaces = documents.map((document) => object.parse(document))
      .filter(({ kind }) => kind !== "Namespace").map(({ metadata }) => metadata.namespace);
    assert.deepEqual([...new Set(namespaces)], ["realtime-router"]);
  },
});
