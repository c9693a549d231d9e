/**
 * One publisher, a few subscribers, each with a queue of its own that never grows beyond its limit: one
 * that does not keep up loses its oldest events and is told how many.
 *
 * @module
 */

/** The bounds of an {@link EventBus}. */
export interface EventBusOptions {
  /** Events that may wait for one subscriber. */
  readonly queueLimit: number;
  readonly maxSubscribers: number;
}

/** What a subscriber takes: an event, or how many it has lost just before the next one. */
export type Delivery<T> =
  | { readonly kind: "event"; readonly event: T }
  | { readonly kind: "dropped"; readonly count: number };

/** See the module. */
export class EventBus<T> {
  readonly #options: EventBusOptions;
  readonly #subscriptions = new Set<Subscription<T>>();
  #closed = false;

  constructor(options: EventBusOptions) {
    this.#options = options;
  }

  get subscriberCount(): number {
    return this.#subscriptions.size;
  }

  /** Hands an event to everybody who listens now. Neither waits nor throws. */
  publish(event: T): void {
    for (const subscription of this.#subscriptions) subscription.push(event);
  }

  /** A new subscription, or null when there are too many or the bus is closed. */
  subscribe(): Subscription<T> | null {
    if (this.#closed || this.#subscriptions.size >= this.#options.maxSubscribers) return null;
    const subscription = new Subscription<T>({
      queueLimit: this.#options.queueLimit,
      onDispose: () => this.#subscriptions.delete(subscription),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /** Ends all subscriptions and gives out no more. Idempotent. */
  close(): void {
    this.#closed = true;
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }
}

/** What waits for one subscriber. */
export class Subscription<T> implements Disposable {
  readonly #queueLimit: number;
  readonly #onDispose: () => void;
  #queue: T[] = [];
  #dropped = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(options: { readonly queueLimit: number; readonly onDispose: () => void }) {
    this.#queueLimit = options.queueLimit;
    this.#onDispose = options.onDispose;
  }

  /** Whether it was disposed of, by the subscriber or with its bus. What waited then is gone. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes in an event; the oldest one makes room for it. */
  push(event: T): void {
    if (this.#ended) return;
    if (this.#queue.length >= this.#queueLimit) {
      this.#queue.shift();
      this.#dropped++;
    }
    this.#queue.push(event);
    this.#wake?.();
  }

  /** The next delivery, or undefined when nothing waits. */
  take(): Delivery<T> | undefined {
    if (this.#dropped > 0) {
      const count = this.#dropped;
      this.#dropped = 0;
      return { kind: "dropped", count };
    }
    if (this.#queue.length === 0) return undefined;
    const [event] = this.#queue.splice(0, 1) as [T];
    return { kind: "event", event };
  }

  /** Resolves when something waits or the subscription has ended. One caller at a time. */
  async ready(): Promise<void> {
    if (this.#ended || this.#queue.length > 0) return;
    // A promise for each call: one that lived on would gather those who stopped waiting for it.
    await new Promise<void>((resolve) => this.#wake = resolve);
  }

  /** Ends the subscription and wakes who waits. Idempotent. */
  [Symbol.dispose](): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#queue = [];
    this.#dropped = 0;
    this.#onDispose();
    this.#wake?.();
  }
}
