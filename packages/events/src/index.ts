export { type EventsEnvironment, eventsFields, eventTransportConfig } from './config-fields.js';
export { type ConsumeOutcome, consumeFresh, consumeOnce, purgeConsumedEvents } from './consume-once.js';
export { createEventTransport, type EventTransportConfig } from './create-transport.js';
export { DEAD_LETTER_HEADERS, deadLetterTopic, fromDeadLetter } from './dead-letter.js';
export { createEmbeddedTransport, type EmbeddedTransportOptions } from './embedded/embedded-transport.js';
export {
  decodeEvent,
  type EventDefinition,
  type EventRecord,
  type NewEvent,
  newEvent,
  type OutboxEvent,
  type ReceivedEvent,
  readEventFlag,
  readEventText,
} from './event.js';
export { observeLag, observeOutbox } from './event-metrics.js';
export { eventTypes } from './event-types.js';
export type { KafkaTransportOptions } from './kafka/kafka-transport.js';
export { appendEvents, type OutboxBacklog, outboxBacklog } from './outbox.js';
export { endRelayLease, type OutboxState, readOutboxState, removePublished, requeuePublished } from './outbox-tools.js';
export { createRelay, type Relay, type RelayOptions } from './relay.js';
export { CONSUMED_EVENTS_SQL, OUTBOX_SQL } from './tables.js';
export type { EventTransport, KeptQuery, OutboxLocation, OutboxMover, Subscription, TopicLag } from './transport.js';
