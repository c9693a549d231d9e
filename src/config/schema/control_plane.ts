/**
 * The section `control_plane` (spec §9): usage records to a hub, credentials from it.
 *
 * @module
 */

import { duration } from "./conversions.ts";
import { optional, section, withDefault } from "./field.ts";
import { credential, filePath, name, url } from "./texts.ts";
import { flag, integer } from "./values.ts";

/** The section `control_plane`. */
export const controlPlane = section({
  enabled: withDefault(flag(), false, { description: "Whether a hub is used." }),
  url: optional(url(["http", "https"], "https://hub.example.com"), {
    description: "Base URL of the hub. Absent = none; enabled needs it.",
  }),
  token: optional(credential, {
    description: "Bearer token for the hub. Absent = none; enabled needs it.",
    secret: true,
  }),
  router_id: withDefault(name, "router-1", {
    description: "Name of this router at the hub; give each replica its own.",
  }),
  flush_interval: withDefault(duration({ positive: true }), "5s", {
    description: "Time between two batches.",
    unit: "duration",
  }),
  batch_size: withDefault(integer({ min: 1, max: 10_000 }), 500, {
    description: "Records of a batch at most.",
    unit: "records",
  }),
  spool_path: withDefault(filePath, "data/usage.db", {
    description: "Database in which records wait for the hub.",
  }),
  spool_max_records: withDefault(integer({ min: 1, max: 1_000_000_000 }), 1_000_000, {
    description: "Records that may wait; one more drops the oldest.",
    unit: "records",
  }),
  credentials_refresh: withDefault(duration({ positive: true }), "60s", {
    description: "Time between two requests for the backends' credentials.",
    unit: "duration",
  }),
}, { description: "The hub.", reload: "restart" });
