import { systemClock } from '@tollgate/runtime';
import type { EventRecord, ReceivedEvent } from './event.js';

/** Returns the topic for events of `topic` that a consumer could not handle. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}

/** Returns the dead letter of an event: id and payload unchanged, with the group and the reason in headers. */
export function deadLetter(event: ReceivedEvent, group: string, attempts: number, error: unknown): EventRecord {
  return {
    ...event,
    topic: deadLetterTopic(event.topic),
    headers: {
      ...event.headers,
      dlq_group: group,
      dlq_topic: event.topic,
      dlq_position: event.position,
      dlq_attempts: String(attempts),
      dlq_reason: toReason(error),
      dlq_time: systemClock.now().toISOString(),
    },
  };
}

/** The headers of a dead letter, without their prefix. */
export const DEAD_LETTER_HEADERS = ['group', 'topic', 'position', 'attempts', 'reason', 'time'] as const;

/** Restores the original event from a dead letter. */
export function fromDeadLetter({ position: _position, ...letter }: ReceivedEvent): EventRecord {
  const own = new Set(DEAD_LETTER_HEADERS.map((name) => `dlq_${name}`));
  return {
    ...letter,
    topic: letter.headers.dlq_topic ?? letter.topic.replace(/\.dlq$/, ''),
    headers: Object.fromEntries(Object.entries(letter.headers).filter(([name]) => !own.has(name))),
  };
}

function toReason(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, 500);
}
