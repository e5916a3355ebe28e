import { observeLag, type Subscription } from '@tollgate/events';
import { createLoop, type Stoppable, stopAll } from '@tollgate/runtime';
import type { Parts } from './parts.js';

/** The longest timer of Node: the loop only has to repeat failed passes. */
const NEVER_MS = 2_147_483_647;

/** Subscribes the consumers. @throws when the event transport is unavailable */
export async function startConsumers(parts: Parts, consumers: readonly Subscription[]): Promise<void> {
  for (const consumer of consumers) {
    const transport = await parts.openTransport();
    parts.keep(await transport.subscribe({ ...consumer, metrics: parts.metrics }));
  }
  observeLag(parts.metrics, consumers, parts.openTransport);
}

/** Subscribes the consumers in the background and repeats failed attempts: the service starts without its events. */
export function startConsumersInBackground(parts: Parts, consumers: readonly Subscription[]): void {
  void parts.openTransport().catch(() => undefined); // first, because it must stop after the subscriptions
  observeLag(parts.metrics, consumers, parts.openTransport);
  const waiting = [...consumers];
  const running: Stoppable[] = [];
  const loop = createLoop({
    name: 'event subscriptions',
    intervalMs: NEVER_MS,
    logger: parts.logger,
    async run() {
      for (let next = waiting[0]; next; next = waiting[0]) {
        const transport = await parts.openTransport();
        running.push(await transport.subscribe({ ...next, metrics: parts.metrics }));
        waiting.shift();
      }
    },
  });
  parts.keep({
    async stop() {
      await loop.stop();
      await stopAll(...running);
    },
  });
}
