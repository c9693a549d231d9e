/**
 * Whether a browser can talk through this router at all, and with which models.
 *
 * @module
 */

/** What the router's list of models says about that. */
export type TalkAccess =
  | { readonly kind: "unknown" }
  | { readonly kind: "open"; readonly models: readonly string[] }
  /** Blocking mode: every caller needs a key, and a browser cannot send one with a WebSocket. */
  | { readonly kind: "blocking" }
  /** This is the listener of the operators: sessions are on another one. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "failed"; readonly message: string };

/** Asks for the models, as a caller without a key. */
export async function askTalkAccess(fetchIt: typeof fetch): Promise<TalkAccess> {
  try {
    const response = await fetchIt("/v1/models", { credentials: "omit", cache: "no-store" });
    return readTalkAccess(response.status, await response.json());
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

/** What an answer means. */
export function readTalkAccess(status: number, body: unknown): TalkAccess {
  if (status === 401) return { kind: "blocking" };
  if (status === 404) return { kind: "elsewhere" };
  if (status === 200) return { kind: "open", models: voiceModels(body) };
  const { error } = body as { readonly error?: { readonly message?: string } };
  return { kind: "failed", message: error?.message ?? `The router answered ${status}` };
}

/**
 * Why the router refuses sessions, as it tells a plain request; null when it would not refuse one for any
 * reason that it gives before the handshake (spec §3). A browser tells nothing of a refused WebSocket.
 */
export async function askRefusal(
  fetchIt: typeof fetch,
  model: string,
): Promise<{ readonly code: string; readonly message: string } | null> {
  try {
    const path = `/v1/realtime?model=${encodeURIComponent(model)}`;
    const response = await fetchIt(path, { credentials: "omit", cache: "no-store" });
    const { error } = await response.json();
    return error.code === "upgrade_required" ? null : { code: error.code, message: error.message };
  } catch {
    return null;
  }
}

/** Sessions are only for models that can speak. */
function voiceModels(body: unknown): readonly string[] {
  const { data = [] } = body as {
    readonly data?: readonly { readonly id: string; readonly capabilities?: readonly string[] }[];
  };
  return data.filter(({ capabilities }) => capabilities?.includes("audio")).map(({ id }) => id);
}
