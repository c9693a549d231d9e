/**
 * The metrics that a router has, as it renders them.
 *
 * @module
 */

import { Metrics } from "../../src/observability/mod.ts";

const metrics = new Metrics();
metrics.observeBackends(() => []);
const { text } = await metrics.render("");

/** What they are, by name. */
export const metricTypes: ReadonlyMap<string, string> = new Map(
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
);

/** Their names. */
export const metricNames: ReadonlySet<string> = new Set(metricTypes.keys());

/** Metrics that Prometheus itself has. */
const OF_PROMETHEUS = new Set(["up"]);

/**
 * The names of metrics in an expression; parts of histograms count as their histogram.
 *
 * @throws {Error} When it has one that the router does not render, or a part of what is no histogram.
 */
export function metricsIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/\{[^{}]*\}/g, "{}")
    .replaceAll(/\b(?:by|without|on|ignoring) *\([^()]*\)/g, "");
  const names = bare.match(/\b[a-z_][a-z0-9_]*\b(?! *\()/g) ?? [];
  return names.filter((name) => name.includes("_") || OF_PROMETHEUS.has(name)).flatMap((name) => {
    if (OF_PROMETHEUS.has(name)) return [];
    if (name === "__rate_interval") return [];
    const whole = name.replace(/_(?:bucket|sum|count)$/, "");
    if (metricTypes.get(whole) === "histogram" && whole !== name) return [whole];
    if (metricNames.has(name) && metricTypes.get(name) !== "histogram") return [name];
    throw new Error(`no router has the metric ${name}: ${expression}`);
  });
}
