/**
 * The models that a caller may use, as OpenAI's API lists them.
 *
 * @module
 */

import { checkModelAccess, type Identity } from "../auth/mod.ts";
import { RouterError } from "../http/mod.ts";
import {
  type Backend,
  type BackendRegistry,
  type Catalogue,
  resolveModel,
} from "../routing/mod.ts";

/** What models are looked up in. */
export interface ModelSources {
  readonly catalogue: Catalogue;
  readonly registry: BackendRegistry;
}

/** One model. Besides OpenAI's fields it has what the metadata says. */
export interface ListedModel {
  readonly id: string;
  readonly object: "model";
  /** Unix seconds. When a model was made is not known. */
  readonly created: 0;
  readonly owned_by: string;
  readonly capabilities?: readonly string[];
  readonly [metadata: string]: unknown;
}

const OWNER = "realtime-router";

/**
 * The names that a caller may send: those that allowed backends serve, and of a key's `allowed_models` the
 * aliases that lead to one of them.
 */
export function listModels(identity: Identity, sources: ModelSources): readonly ListedModel[] {
  const { allowedModels, allowedBackends } = identity;
  const names = new Set([...sources.registry.modelNames, ...allowedModels ?? []]);
  const served = (name: string) => {
    const candidates = candidatesOf(name, sources);
    return allowedBackends === null
      ? candidates.length > 0
      : candidates.some((backend) => allowedBackends.has(backend.name));
  };
  return [...names]
    .filter((name) => (allowedModels === null || allowedModels.has(name)) && served(name))
    .map((name) => describe(name, sources));
}

/**
 * One model by a name that a caller may send, an alias included.
 *
 * @throws {RouterError} `model_not_allowed`, `model_not_found` or `backend_not_allowed`, as for a request.
 */
export function findModel(
  name: string,
  { identity, ...sources }: ModelSources & { readonly identity: Identity },
): ListedModel {
  checkModelAccess(identity, name);
  const { candidates } = resolveModel(name, sources);
  const { allowedBackends } = identity;
  if (allowedBackends !== null && !candidates.some(({ name }) => allowedBackends.has(name))) {
    throw new RouterError(
      "backend_not_allowed",
      "This API key may not use any backend that serves the requested model",
    );
  }
  return describe(name, sources);
}

function candidatesOf(name: string, sources: ModelSources): readonly Backend[] {
  try {
    return resolveModel(name, sources).candidates;
  } catch (error) {
    // A key may list names that nobody serves.
    if (error instanceof RouterError && error.code === "model_not_found") return [];
    throw error;
  }
}

function describe(name: string, { catalogue }: ModelSources): ListedModel {
  const entry = catalogue.lookup(name);
  const capabilities = entry?.capabilities ?? null;
  return {
    ...entry?.metadata,
    ...capabilities === null ? {} : { capabilities: [...capabilities] },
    id: name,
    object: "model",
    created: 0,
    owned_by: OWNER,
  };
}
