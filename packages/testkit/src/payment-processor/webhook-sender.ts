import { createHmac } from 'node:crypto';
import { fetch } from 'undici';
import type { ProcessorState } from './processor-state.js';
import type { WireEvent } from './wire.js';

export interface WebhookTarget {
  url: string;
  secret: string;
}

/** The fake's webhook events and, for tests, their faults. */
export interface WebhookSender {
  /** The target of the events; they wait until it is set. */
  sendTo(target: WebhookTarget): void;
  /** Holds events back from now on; `deliver` sends single ones. */
  hold(): void;
  /** Sends the held events and continues. */
  release(): void;
  /** Not delivered yet, oldest first. */
  waiting(): WireEvent[];
  /** All events so far, oldest first. */
  all(): WireEvent[];
  /** Sends an event immediately, even if it was sent before; returns the response status. */
  deliver(event: WireEvent): Promise<number>;
  /** Resolves when all events are delivered. */
  idle(): Promise<void>;
}

const RETRY_FIRST_MS = 200;
const RETRY_MAX_MS = 30_000;
const TIMEOUT_MS = 20_000;

/** Signs and sends each event separately, and repeats it until it is accepted, as the processor does. */
export function createWebhookSender(
  state: Pick<ProcessorState, 'store' | 'nowMs'>,
): WebhookSender & { add(event: WireEvent): void; stop(): void } {
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<string>();
  const idle: (() => void)[] = [];
  let target: WebhookTarget | undefined;
  let isHeld = false;
  let isStopped = false;

  const waiting = (): WireEvent[] => state.store.all('event').filter((event) => event.pending_webhooks > 0);
  const settle = (): void => {
    if (waiting().length === 0) for (const resolve of idle.splice(0)) resolve();
  };

  async function deliver(event: WireEvent): Promise<number> {
    if (!target) throw new Error('the fake has no target for its webhook events');
    const body = JSON.stringify(event);
    const at = Math.floor(Date.now() / 1_000);
    const mac = createHmac('sha256', target.secret).update(`${at}.${body}`).digest('hex');
    const response = await fetch(target.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${at},v1=${mac}` },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (response.ok && !isStopped) state.store.put({ ...event, pending_webhooks: 0 });
    settle();
    return response.status;
  }

  async function attempt(event: WireEvent, pauseMs: number): Promise<void> {
    if (isStopped || isHeld || !target) {
      underWay.delete(event.id);
      return;
    }
    const status = await deliver(event).catch(() => 0);
    if (isStopped || (status >= 200 && status < 300)) {
      underWay.delete(event.id);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      void attempt(event, Math.min(RETRY_MAX_MS, pauseMs * 2));
    }, pauseMs);
    timers.add(timer);
  }

  function begin(event: WireEvent): void {
    if (isHeld || !target || underWay.has(event.id)) return;
    underWay.add(event.id);
    // Sent usually after the answer to the request that caused it; clients cannot rely on that.
    setImmediate(() => void attempt(event, RETRY_FIRST_MS));
  }

  return {
    add: begin,
    sendTo(next) {
      target = next;
      for (const event of waiting()) begin(event);
    },
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const event of waiting()) begin(event);
    },
    waiting,
    all: () => state.store.all('event'),
    deliver,
    idle: () =>
      new Promise((resolve) => {
        idle.push(resolve);
        settle();
      }),
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
