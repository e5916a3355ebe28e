import {
  DEAD_LETTER_HEADERS,
  deadLetterTopic,
  type EventTransport,
  fromDeadLetter,
  type ReceivedEvent,
} from '@tollgate/events';
import { fields } from '@tollgate/runtime';
import type { ServiceConfig } from '../define-config.js';
import { type Command, type CommandCall, CommandError, type Commands, UsageError } from './command.js';

/** The consumer group of a service, and its topics. */
export interface ConsumedTopics {
  group: string;
  topics: readonly string[];
  /** Further groups of the service, for the same topics. */
  otherGroups?: readonly string[];
}

const PAGE = 200;
const LIMIT_DEFAULT = 1_000;
const LIMIT_MAX = 100_000;

/** The commands of a service that consumes events, for those that it could not handle. */
export function deadLetterCommands<Config extends ServiceConfig>(consumed: ConsumedTopics): Commands<Config> {
  return { 'list-dead-letters': listDeadLetters(consumed), 'replay-dead-letters': replayDeadLetters(consumed) };
}

function listDeadLetters<Config extends ServiceConfig>(consumed: ConsumedTopics): Command<Config> {
  return {
    summary: 'lists the events that this service could not handle and that were not replayed yet',
    options: {
      all: { summary: 'includes those that were replayed' },
      limit: { value: 'N', summary: `at most this many per topic (default ${LIMIT_DEFAULT})` },
    },
    async run({ openTransport }, call) {
      const transport = await openTransport();
      const limit = readLimit(call);
      for (const topic of deadLetterTopics(consumed)) {
        const group = call.flag('all') ? undefined : toMark(consumed);
        const letters = await transport.readKept({ topic, group, limit, signal: call.signal });
        for (const letter of letters.filter((one) => isOurs(one, consumed))) await printLetter(letter, call);
        if (letters.length === limit) call.progress(`${topic} has more; repeat with a higher --limit`);
      }
    },
  };
}

function replayDeadLetters<Config extends ServiceConfig>(consumed: ConsumedTopics): Command<Config> {
  return {
    arguments: '[ID]',
    summary: 'publishes those events again, each once; with an id, that event even if it was replayed before',
    options: { limit: { value: 'N', summary: `at most this many per topic (default ${LIMIT_DEFAULT})` } },
    async run({ openTransport }, call) {
      const transport = await openTransport();
      const [id] = call.args;
      if (id !== undefined) return replayOne(transport, consumed, id, call);
      let replayed = 0;
      for (const topic of deadLetterTopics(consumed)) replayed += await replayTopic(transport, consumed, topic, call);
      call.progress(`${replayed} events published again`);
    },
  };
}

/** Publishes page by page; the mark follows each page, so an interrupted command continues where it stopped. */
async function replayTopic(
  transport: EventTransport,
  consumed: ConsumedTopics,
  topic: string,
  call: CommandCall,
): Promise<number> {
  const group = toMark(consumed);
  let left = readLimit(call);
  let replayed = 0;
  while (left > 0) {
    const limit = Math.min(PAGE, left);
    const letters = await transport.readKept({ topic, group, limit, signal: call.signal });
    if (letters.length === 0) break;
    const ours = letters.filter((letter) => isOurs(letter, consumed));
    await transport.publish(ours.map(fromDeadLetter));
    await transport.advanceMark(group, letters);
    for (const letter of ours) await printLetter(letter, call);
    replayed += ours.length;
    left -= letters.length;
  }
  return replayed;
}

async function replayOne(
  transport: EventTransport,
  consumed: ConsumedTopics,
  id: string,
  call: CommandCall,
): Promise<void> {
  for (const topic of deadLetterTopics(consumed)) {
    const letters = await transport.readKept({ topic, limit: LIMIT_MAX, signal: call.signal });
    const letter = letters.find((one) => one.id === id && isOurs(one, consumed));
    if (!letter) continue;
    await transport.publish([fromDeadLetter(letter)]);
    return printLetter(letter, call);
  }
  throw new CommandError(`no dead letter of this service has the id ${id}; list-dead-letters --all shows them`);
}

async function printLetter(letter: ReceivedEvent, { print }: CommandCall): Promise<void> {
  const { id, type, key, occurredAt, headers } = letter;
  const given = Object.fromEntries(DEAD_LETTER_HEADERS.map((name) => [name, headers[`dlq_${name}`]]));
  const text = `${id}  ${type}  ${given.topic}  ${key}  given up ${given.time} after ${given.attempts} attempts: ${given.reason}`;
  await print({ id, type, key, occurredAt, ...given }, text);
}

function deadLetterTopics({ topics }: ConsumedTopics): string[] {
  return topics.map(deadLetterTopic);
}

/** The group whose mark separates replayed from other dead letters. */
function toMark({ group }: ConsumedTopics): string {
  return `${group}.replayed`;
}

/** Services share the dead-letter topic of a topic. */
function isOurs(letter: ReceivedEvent, { group, otherGroups = [] }: ConsumedTopics): boolean {
  return [group, ...otherGroups].includes(String(letter.headers.dlq_group));
}

function readLimit(call: CommandCall): number {
  const text = call.text('limit');
  if (text === undefined) return LIMIT_DEFAULT;
  const parsed = fields.integer(1, LIMIT_MAX).safeParse(text);
  if (!parsed.success) throw new UsageError(`--limit: expected a whole number from 1 to ${LIMIT_MAX}`);
  return parsed.data;
}
