/**
 * The Kubernetes manifests as typed values. The schemas have the fields that tests look at, and are strict
 * where a slip would be left unseen.
 *
 * @module
 */

import { z } from "zod";
import { yamlDocumentsOf, yamlOf } from "./project_files.ts";

const FOLDER = "deploy/kubernetes";
const labels = z.record(z.string(), z.string());
const named = z.object({ name: z.string(), labels: labels.optional() });
const selector = z.strictObject({ matchLabels: labels });
const portName = z.string().regex(/^[a-z][a-z0-9-]{0,14}$/);
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: portName }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int(),
});
const volume = z.strictObject({
  name: z.string(),
  configMap: z.strictObject({ name: z.string() }).optional(),
  emptyDir: z.strictObject({
    medium: z.literal("Memory").optional(),
    sizeLimit: z.string(),
  }).optional(),
});
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  ports: z.array(z.strictObject({ name: portName, containerPort: z.int() })),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: z.strictObject({
    preStop: z.strictObject({ sleep: z.strictObject({ seconds: z.int() }) }),
  }),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string() }),
  }),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.strictObject({
    name: z.string(),
    mountPath: z.string(),
    readOnly: z.boolean().optional(),
  })),
});

const deploymentSchema = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("Deployment"),
  metadata: named,
  spec: z.strictObject({
    strategy: z.unknown(),
    selector,
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        serviceAccountName: z.string(),
        automountServiceAccountToken: z.boolean(),
        enableServiceLinks: z.boolean(),
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.unknown(),
        topologySpreadConstraints: z.array(z.object({
          labelSelector: selector,
        })),
        containers: z.tuple([container]),
        volumes: z.array(volume),
      }),
    }),
  }),
});

const serviceSchema = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Service"),
  metadata: named,
  spec: z.strictObject({
    clusterIP: z.literal("None").optional(),
    selector: labels,
    ports: z.array(z.strictObject({ name: portName, port: z.int(), targetPort: portName })),
  }),
});

const scalerSchema = z.strictObject({
  apiVersion: z.literal("autoscaling/v2"),
  kind: z.literal("HorizontalPodAutoscaler"),
  metadata: named,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string(),
    }),
    minReplicas: z.int(),
    maxReplicas: z.int(),
    metrics: z.tuple([z.strictObject({
      type: z.literal("Pods"),
      pods: z.strictObject({
        metric: z.strictObject({ name: z.string() }),
        target: z.strictObject({ type: z.literal("AverageValue"), averageValue: z.string() }),
      }),
    })]),
    behavior: z.unknown(),
  }),
});

const budgetSchema = z.strictObject({
  apiVersion: z.literal("policy/v1"),
  kind: z.literal("PodDisruptionBudget"),
  metadata: named,
  spec: z.strictObject({
    maxUnavailable: z.int(),
    selector,
    unhealthyPodEvictionPolicy: z.enum(["AlwaysAllow", "IfHealthyBudget"]),
  }),
});

const monitorSchema = z.strictObject({
  apiVersion: z.literal("monitoring.coreos.com/v1"),
  kind: z.literal("ServiceMonitor"),
  metadata: named,
  spec: z.strictObject({
    selector,
    endpoints: z.tuple([z.strictObject({
      port: portName,
      path: z.string(),
      interval: z.string(),
      relabelings: z.tuple([z.strictObject({ targetLabel: z.string(), replacement: z.string() })]),
    })]),
  }),
});

const kustomizationSchema = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
  kind: z.literal("Kustomization"),
  namespace: z.string(),
  labels: z.tuple([z.strictObject({ pairs: labels, includeSelectors: z.literal(true) })]),
  images: z.tuple([z.strictObject({
    name: z.string(),
    newName: z.string(),
    newTag: z.string(),
  })]),
  configMapGenerator: z.tuple([z.strictObject({
    name: z.string(),
    files: z.tuple([z.literal("config.yaml")]),
  })]),
  resources: z.array(z.string()),
});

const adapterSchema = z.strictObject({
  rules: z.strictObject({
    custom: z.tuple([z.strictObject({
      seriesQuery: z.string(),
      resources: z.unknown(),
      metricsQuery: z.string(),
    })]),
  }),
});

/** The manifests, read and checked. @throws {z.ZodError} When one has not the fields that it must have. */
export async function readManifests() {
  const one = (name: string) => yamlOf(`${FOLDER}/${name}.yaml`);
  const services = await yamlDocumentsOf(`${FOLDER}/service.yaml`);
  return {
    kustomization: kustomizationSchema.parse(await one("kustomization")),
    namespace: z.object({ kind: z.literal("Namespace"), metadata: named }).parse(
      await one("namespace"),
    ),
    account: z.object({ kind: z.literal("ServiceAccount"), metadata: named }).parse(
      await one("serviceaccount"),
    ),
    deployment: deploymentSchema.parse(await one("deployment")),
    services: z.tuple([serviceSchema, serviceSchema]).parse(services),
    budget: budgetSchema.parse(await one("poddisruptionbudget")),
    scaler: scalerSchema.parse(await one("horizontalpodautoscaler")),
    monitor: monitorSchema.parse(await one("servicemonitor")),
    adapter: adapterSchema.parse(await one("prometheus-adapter-values")),
  };
}
