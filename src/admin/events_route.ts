/**
 * `GET /admin/events`: the events as they happen, as a stream of server-sent events.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { Clock } from "../realtime/mod.ts";
import type { AdminEndpoint } from "./admin_route.ts";
import type { Subscription } from "./event_bus.ts";
import { sseComment, sseEvent } from "./sse.ts";

/** What the route works with. */
export interface EventsRouteOptions {
  readonly events: { subscribe(): Subscription<Uint8Array> | null };
  readonly clock: Pick<Clock, "after">;
}

/** So long a stream says nothing before it says that it lives. Proxies often wait no longer than 30 s. */
const HEARTBEAT_MS = 15_000;
const RETRY_AFTER_SECONDS = 30;

/** Makes the route. */
export function eventsEndpoint({ events, clock }: EventsRouteOptions): AdminEndpoint {
  return {
    path: "/admin/events",
    method: "GET",
    respond: () => {
      const subscription = events.subscribe();
      if (subscription === null) {
        throw new RouterError("connection_limit_reached", "Too many streams of events are open", {
          headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
          source: "internal",
        });
      }
      return new Response(eventStream(subscription, { clock }), {
        // Proxies such as nginx would gather events otherwise.
        headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
      });
    },
  };
}

/**
 * The deliveries of a subscription, read as fast as the client takes them. Ends with the subscription;
 * cancelling it ends the subscription.
 */
export function eventStream(
  subscription: Subscription<Uint8Array>,
  { clock }: { readonly clock: Pick<Clock, "after"> },
): ReadableStream<Uint8Array> {
  let cancelled = false;
  return new ReadableStream<Uint8Array>({
    // At once, so that the client knows that it listens.
    start: (controller) => controller.enqueue(sseComment("connected")),
    pull: async (controller) => {
      const chunk = await nextChunk(subscription, clock);
      if (cancelled) return;
      if (chunk === null) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => {
      cancelled = true;
      subscription[Symbol.dispose]();
    },
  }, { highWaterMark: 0 });
}

/** The next thing to write, however long it takes; null at the end. */
async function nextChunk(
  subscription: Subscription<Uint8Array>,
  clock: Pick<Clock, "after">,
): Promise<Uint8Array | null> {
  const heartbeat = Promise.withResolvers<"heartbeat">();
  using _timer = clock.after(HEARTBEAT_MS, () => heartbeat.resolve("heartbeat"));
  const first = await Promise.race([subscription.ready(), heartbeat.promise]);
  const delivery = subscription.take();
  if (delivery?.kind === "event") return delivery.event;
  if (delivery?.kind === "dropped") return sseEvent("dropped", { count: delivery.count });
  return first === "heartbeat" ? sseComment("heartbeat") : null;
}
