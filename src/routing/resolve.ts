/**
 * From the name that a client sent to the name that backends know and the backends that know it
 * (spec §4). Health, circuits and the key's lists come later.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { Backend } from "./backend.ts";
import type { Catalogue } from "./catalogue.ts";
import { AUDIO } from "./model_entry.ts";
import type { BackendRegistry } from "./registry.ts";
import { shownName } from "./shown_name.ts";

/** A model that at least one backend serves. */
export interface ResolvedModel {
  /** The catalogue's id, or the requested name when no metadata describes it. */
  readonly canonicalId: string;
  /** Null when no metadata describes the model. */
  readonly capabilities: ReadonlySet<string> | null;
  /** The name to send to the backend: one that every candidate lists. */
  readonly dispatchModel: string;
  /** Never empty, in the order of the configuration. */
  readonly candidates: readonly Backend[];
}

/** What {@link resolveModel} looks things up in, and what it requires. */
export interface ResolveOptions {
  readonly catalogue: Catalogue;
  readonly registry: BackendRegistry;
  /** Realtime sessions need the capability `audio`. @default {false} */
  readonly requireAudio?: boolean;
}

/**
 * Resolves a requested name. The backends that list the very string are the candidates and get it as it
 * is; only when there are none, those that list the canonical id get that.
 *
 * @throws {RouterError} `model_not_found` when no backend serves it, `audio_not_supported` when it must
 * speak and cannot, or nobody has said that it can. Both show the caller's own string.
 */
export function resolveModel(requested: string, options: ResolveOptions): ResolvedModel {
  const { catalogue, registry, requireAudio = false } = options;
  const entry = catalogue.lookup(requested);
  const canonicalId = entry?.id ?? requested;
  const capabilities = entry?.capabilities ?? null;
  let dispatchModel = requested;
  let candidates = registry.serving(requested);
  if (candidates.length === 0) {
    dispatchModel = canonicalId;
    candidates = registry.serving(canonicalId);
  }
  if (candidates.length === 0) {
    throw new RouterError("model_not_found", `The model '${shownName(requested)}' does not exist`, {
      param: "model",
    });
  }
  if (requireAudio && !capabilities?.has(AUDIO)) {
    const message = capabilities === null ? undescribed(requested) : withoutAudio(requested);
    throw new RouterError("audio_not_supported", message, { param: "model" });
  }
  return { canonicalId, capabilities, dispatchModel, candidates };
}

function withoutAudio(requested: string): string {
  return `The model '${shownName(requested)}' does not support audio`;
}

function undescribed(requested: string): string {
  return `The model '${shownName(requested)}' has no metadata that says it supports audio; ` +
    "if it does, add it to backends[].model_configs (or model_metadata_file) with " +
    "metadata.capabilities: [audio, text]";
}
