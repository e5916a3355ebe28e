import type { EventRecord, ReceivedEvent } from './event.js';

/** Where events of `topic` go that a consumer could not handle. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}

/** The event as it came, id and payload unchanged, with why and by whom it was given up. */
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
      dlq_reason: reasonOf(error),
      dlq_time: new Date().toISOString(),
    },
  };
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, 500);
}
