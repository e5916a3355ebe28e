import { setTimeout as sleep } from 'node:timers/promises';
import { isTransientError } from '@tollgate/errors';
import { backoffMs, type Logger } from '@tollgate/runtime';
import { deadLetter } from './dead-letter.js';
import type { EventRecord, ReceivedEvent } from './event.js';
import { consumerMetrics } from './event-metrics.js';
import type { Subscription } from './transport.js';

export interface DeliveryContext {
  subscription: Subscription;
  /** Must resolve only when the dead letter is durable. */
  publishDeadLetter: (event: EventRecord) => Promise<void>;
  logger: Logger;
  /** Aborted when the subscription stops: no new work starts, and pauses end early. */
  signal: AbortSignal;
}

/**
 * Hands a batch to the subscription and returns how many of its leading events are finished: handled, or in the
 * dead-letter topic. Returns fewer than all only when the subscription stops. Both transports use this function for
 * order, retries and dead letters.
 */
export async function deliver(events: readonly ReceivedEvent[], context: DeliveryContext): Promise<number> {
  const { subscription } = context;
  if (!subscription.batchHandler) return await deliverInSlots(events, subscription.handler, context);
  if (context.signal.aborted) return 0;
  const { batchHandler } = subscription;
  try {
    await batchHandler(events);
    const metrics = consumerMetrics(subscription);
    for (const [topic, count] of countTopics(events)) metrics.consumed(topic, count);
    return events.length;
  } catch (error) {
    const group = subscription.group;
    context.logger.warn({ err: error, group, events: events.length }, 'a batch of events failed; trying one by one');
  }
  return await deliverInSlots(events, (event) => batchHandler([event]), context, 1);
}

type Handler = (event: ReceivedEvent) => Promise<void>;

/** Slots run concurrently; all events of one key are in one slot, in order. */
async function deliverInSlots(
  events: readonly ReceivedEvent[],
  handler: Handler,
  context: DeliveryContext,
  slots: number = context.subscription.concurrency ?? 1,
): Promise<number> {
  const done = new Array<boolean>(events.length).fill(false);
  const runSlot = async (slot: number) => {
    for (const [index, event] of events.entries()) {
      if (slots > 1 && chooseSlot(event.key, slots) !== slot) continue;
      if (!(await deliverOne(event, handler, context))) return;
      done[index] = true;
    }
  };
  await Promise.all(Array.from({ length: slots }, (_, slot) => runSlot(slot)));
  const firstOpen = done.indexOf(false);
  return firstOpen === -1 ? events.length : firstOpen;
}

/** Resolves with false when the subscription stopped before the event was finished. */
async function deliverOne(event: ReceivedEvent, handler: Handler, context: DeliveryContext): Promise<boolean> {
  const { subscription, signal } = context;
  const metrics = consumerMetrics(subscription);
  const { attemptsMax = 5, isTransient = isTransientError } = subscription;
  let failures = 0;
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      await handler(event);
      metrics.consumed(event.topic, 1);
      return true;
    } catch (error) {
      const transient = isTransient(error);
      if (!transient) failures += 1;
      const facts = { err: error, group: subscription.group, topic: event.topic, event_id: event.id, attempt };
      if (failures >= attemptsMax) {
        context.logger.error(facts, 'event cannot be handled; moved to the dead-letter topic');
        const isBuried = await bury(deadLetter(event, subscription.group, failures, error), context);
        if (isBuried) metrics.deadLettered(event.topic);
        return isBuried;
      }
      context.logger.warn({ ...facts, transient }, 'handling an event failed; trying again');
      await pauseBefore(attempt, context);
    }
  }
  return false;
}

/** An event is skipped only after its dead letter is durable. */
async function bury(letter: EventRecord, context: DeliveryContext): Promise<boolean> {
  for (let attempt = 1; !context.signal.aborted; attempt++) {
    try {
      await context.publishDeadLetter(letter);
      return true;
    } catch (error) {
      context.logger.error({ err: error, topic: letter.topic, event_id: letter.id }, 'writing a dead letter failed');
      await pauseBefore(attempt, context);
    }
  }
  return false;
}

async function pauseBefore(attempt: number, { subscription, signal }: DeliveryContext): Promise<void> {
  const { retryDelayMs = 100, retryDelayMaxMs = 10_000 } = subscription;
  const pauseMs = backoffMs(attempt, { minMs: retryDelayMs, maxMs: retryDelayMaxMs });
  await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
}

function chooseSlot(key: string, slots: number): number {
  let hash = 0;
  for (let index = 0; index < key.length; index++) hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0;
  return (hash >>> 0) % slots;
}

function countTopics(events: readonly ReceivedEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { topic } of events) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return counts;
}
