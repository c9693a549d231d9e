/**
 * A backend's own list of models, as it answers `GET /v1/models` (spec §4).
 *
 * @module
 */

/** Longest list that is read: a backend may answer anything. */
export const MAX_MODEL_LIST_BYTES = 1024 * 1024;

/** Names with these are junk: no model is called so, and they would confuse logs and lists. */
const CONTROL = /\p{Cc}/u;

/** A list that cannot be used. The message is for the operator. */
export class ModelListError extends Error {
  override readonly name = "ModelListError";
}

/**
 * Reads the names out of a response: `{"data": [{"id": …}]}` as OpenAI has it, or
 * `{"models": [{"name": …}]}` as ollama has it. Entries that are anything else are passed over.
 *
 * @throws {ModelListError} When the body is longer than {@link MAX_MODEL_LIST_BYTES} or is no such list.
 */
export async function readModelList(response: Response): Promise<readonly string[]> {
  const list = parseJson(await readText(response));
  const names = namesOf(list, { list: "data", name: "id" }) ??
    namesOf(list, { list: "models", name: "name" });
  if (names === null) throw new ModelListError("the answer is not a list of models");
  return names;
}

function namesOf(
  body: unknown,
  keys: { readonly list: string; readonly name: string },
): readonly string[] | null {
  const entries = memberOf(body, keys.list);
  if (!Array.isArray(entries)) return null;
  return entries
    .map((entry) => memberOf(entry, keys.name))
    .filter((name) => typeof name === "string")
    .filter((name) => !CONTROL.test(name));
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelListError("the answer is not JSON");
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop early cancels the body.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_MODEL_LIST_BYTES) throw new ModelListError("the answer is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
