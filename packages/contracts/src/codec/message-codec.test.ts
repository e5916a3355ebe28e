import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type DescField, type DescMessage, fromBinary, ScalarType, toBinary } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { UsageSchema } from '../gen/codecs/tollgate/common/v1/usage_pb.js';
import { GenerateResponseSchema, StreamEventSchema } from '../gen/codecs/tollgate/inference/v1/inference_pb.js';
import { createMessage, decodeMessage, encodeMessage } from './index.js';

const ROUNDS = 6;
const DEPTH_MAX = 4;
const GENERATED = fileURLToPath(new URL('../gen/codecs/tollgate/', import.meta.url));

type Fields = Record<string, unknown>;

describe('every message of the contracts', () => {
  let messages: DescMessage[];
  beforeAll(async () => {
    messages = await listMessages();
  });

  it('includes the messages of all services', () => {
    expect(messages.length).toBeGreaterThan(200);
  });

  it('creates and codes it as the library does', () => {
    for (const desc of messages) {
      const random = new Random(desc.typeName);
      for (let round = 0; round < ROUNDS; round++) {
        const init = randomInit(desc, random);
        const expected = toBinary(desc, create(desc, init));
        expect(createMessage(desc, init)).toStrictEqual(create(desc, init));
        expect(Buffer.from(encodeMessage(desc, init)).equals(expected)).toBe(true);
        expect(Buffer.from(encodeMessage(desc, createMessage(desc, init))).equals(expected)).toBe(true);
        expect(decodeMessage(desc, expected)).toStrictEqual(fromBinary(desc, expected));
      }
    }
  });

  it('rejects or decodes truncated bytes as the library does', () => {
    for (const desc of messages) {
      const random = new Random(`bytes of ${desc.typeName}`);
      for (let round = 0; round < ROUNDS; round++) {
        const bytes = toBinary(desc, create(desc, randomInit(desc, random)));
        const end = Math.floor(random.next() * bytes.length);
        expect(outcome(() => decodeMessage(desc, bytes.subarray(0, end)))).toEqual(
          outcome(() => fromBinary(desc, bytes.subarray(0, end))),
        );
      }
    }
  });
});

describe('one message', () => {
  const usage = { inputTokens: 3n, outputTokens: 5n };

  it('returns a whole message as it is', () => {
    const message = createMessage(UsageSchema, usage);
    expect(createMessage(UsageSchema, message)).toBe(message);
    expect(createMessage(GenerateResponseSchema, { usage: message }).usage).toBe(message);
  });

  it('keeps fields that this build does not know, and writes them again', () => {
    const newer = toBinary(GenerateResponseSchema, create(GenerateResponseSchema, { event: 'e', model: 'm', usage }));
    const read = decodeMessage(StreamEventSchema, newer);
    expect(read).toStrictEqual(fromBinary(StreamEventSchema, newer));
    expect(Buffer.from(encodeMessage(StreamEventSchema, read)).equals(newer)).toBe(true);
  });

  it('merges a message that arrives in parts', () => {
    const [first, second] = [{ inputTokens: 3n }, { outputTokens: 5n }].map((part) =>
      encodeMessage(GenerateResponseSchema, { usage: part, more: [{ event: 'e' }] }),
    );
    const bytes = Buffer.concat([first!, second!]);
    const read = decodeMessage(GenerateResponseSchema, bytes);
    expect(read).toStrictEqual(fromBinary(GenerateResponseSchema, bytes));
    expect([read.usage?.inputTokens, read.usage?.outputTokens, read.more.length]).toEqual([3n, 5n, 2]);
  });

  it.each([
    ['text', { event: 5 }],
    ['an int64', { usage: { inputTokens: 1n << 64n } }],
  ])('rejects a value that is not %s, and writes the next one', (_, init) => {
    expect(() => encodeMessage(GenerateResponseSchema, init as never)).toThrow();
    expect(decodeMessage(GenerateResponseSchema, encodeMessage(GenerateResponseSchema, { event: 'e' })).event).toBe(
      'e',
    );
  });

  it('rejects text that is not UTF-8', () => {
    expect(() => decodeMessage(StreamEventSchema, Uint8Array.of(0x12, 1, 0xff))).toThrow();
  });

  it('does not share its buffer with the next one', () => {
    for (const size of [10, 10_000, 100_000]) {
      const first = encodeMessage(StreamEventSchema, { data: new Uint8Array(size).fill(1) });
      encodeMessage(StreamEventSchema, { data: new Uint8Array(size).fill(2) });
      expect(decodeMessage(StreamEventSchema, first).data.every((byte) => byte === 1)).toBe(true);
    }
  });

  it('rejects a message without generated functions', () => {
    expect(() => createMessage(StructSchema, {})).toThrow('no codec is generated');
  });
});

/** A message, or the fact that there is none. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return 'rejected';
  }
}

async function listMessages(): Promise<DescMessage[]> {
  const files = readdirSync(GENERATED, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('_pb.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.sort().map((file) => import(`../gen/codecs/tollgate/${file.replace(/\.ts$/, '.js')}`)),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isMessageDesc);
}

function isMessageDesc(value: unknown): value is DescMessage {
  return typeof value === 'object' && value !== null && (value as { kind?: string }).kind === 'message';
}

/** Repeats its numbers for the same seed. */
class Random {
  #state = 0;

  constructor(seed: string) {
    for (const character of seed) this.#state = (Math.imul(this.#state, 31) + character.charCodeAt(0)) >>> 0;
  }

  /** From 0 to 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  choose<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)] as T;
  }
}

function randomInit(desc: DescMessage, random: Random, depth = 0): Fields {
  const init: Fields = {};
  for (const member of desc.members) {
    if (random.next() < 0.3) continue;
    if (member.kind === 'field') init[member.localName] = randomValue(member, random, depth);
    else {
      const field = random.choose(member.fields);
      init[member.localName] = { case: field.localName, value: randomValue(field, random, depth) };
    }
  }
  return init;
}

function randomValue(field: DescField, random: Random, depth: number): unknown {
  switch (field.fieldKind) {
    case 'message':
      return depth < DEPTH_MAX ? randomInit(field.message, random, depth + 1) : {};
    case 'list': {
      const count = Math.floor(random.next() * 3);
      const item = () =>
        field.listKind === 'message' ? randomInit(field.message, random, depth + 1) : scalar(field, random);
      return Array.from({ length: depth < DEPTH_MAX ? count : 0 }, item);
    }
    case 'map':
      return { [random.choose(TEXTS)]: scalar(field, random), b: scalar(field, random) };
    default:
      return scalar(field, random);
  }
}

const TEXTS = ['', 'a', 'gpt-4o-mini', 'ä€😀', 'x'.repeat(47), 'y'.repeat(48), 'é'.repeat(200), 'z'.repeat(20_000)];
const NUMBERS = [0, 1, 127, 128, 300, 2 ** 21, 2 ** 31 - 1];
const BIGINTS = [0n, 1n, 127n, 128n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n, -1n, -(2n ** 63n)];

function scalar(field: DescField, random: Random): unknown {
  switch (field.scalar) {
    case ScalarType.STRING:
      return random.choose(TEXTS);
    case ScalarType.BYTES:
      return new Uint8Array(random.choose([0, 1, 200, 70_000])).fill(7);
    case ScalarType.BOOL:
      return random.next() < 0.5;
    case ScalarType.INT64:
      return random.choose(BIGINTS);
    case ScalarType.DOUBLE:
      return random.choose([0, -0, 0.1, -1e300, Number.POSITIVE_INFINITY]);
    case ScalarType.INT32:
      return random.choose([...NUMBERS, -1, -(2 ** 31)]);
    case undefined:
      return random.choose([0, 1, 2, 99]); // an enum; unknown numbers are kept
    default:
      return random.choose(NUMBERS);
  }
}
