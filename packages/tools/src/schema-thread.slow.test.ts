import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SchemaThread } from './schema-thread.js';

const TOO_SLOW = 'the schema takes too long to check; make it simpler';
const city = { type: 'object', properties: { city: { type: 'string', pattern: '^[A-Z]' } }, required: ['city'] };

/** Serves the tests that need no other settings. */
const shared = new SchemaThread();
let thread: SchemaThread;
beforeEach(() => {
  thread = shared;
});
afterEach(async () => {
  if (thread !== shared) await thread.stop();
});
afterAll(() => shared.stop());

const findFault = (schema: Record<string, unknown>, args: unknown, account = 'a') =>
  thread.findFault(account, schema, JSON.stringify(args));

describe('arguments and the schema that a client declared', () => {
  it.each([
    [city, { city: 'Bern' }],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', ...city },
      { city: 'Bern', more: 1 },
    ],
    [{}, { anything: true }],
    [
      { type: 'object', patternProperties: { '^n_': { type: 'number' } } },
      { n_a: 1, other: 'x' },
    ],
    [{ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'integer' } } }, { a: 1 }],
  ])('accepts by schema %j the arguments %j', async (schema, args) => {
    expect(await findFault(schema, args)).toBeUndefined();
  });

  it.each([
    [city, {}, "must have required property 'city'"],
    [city, { city: 1 }, 'must be string'],
    [city, { city: 'bern' }, 'must match pattern'],
    [{ ...city, additionalProperties: false }, { city: 'Bern', more: 1 }, 'additional properties'],
    [{ type: 'object', patternProperties: { '^n_': { type: 'number' } } }, { n_a: 'x' }, 'must be number'],
    [{ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'integer' } } }, { a: 'x' }, 'must be integer'],
  ])('rejects by schema %j the arguments %j', async (schema, args, fault) => {
    expect(await findFault(schema, args)).toContain(fault);
  });

  it('gives arguments the verdict of their own schema when several were compiled before', async () => {
    const typed = (type: string) => ({ properties: { a: { type } } });
    for (let round = 0; round < 2; round++) {
      expect(await findFault(typed('string'), { a: 1 })).toBe('arguments/a must be string');
      expect(await findFault(typed('integer'), { a: 1 })).toBeUndefined();
      expect(await findFault(typed('integer'), { a: 'x' })).toBe('arguments/a must be integer');
    }
  });

  it.each([
    ['is invalid', { type: 'nonsense' }],
    ['refers to another document', { $ref: 'https://example.com/schema.json' }],
    ['has a pattern without linear time', { properties: { a: { pattern: '(?=x)' } } }],
    ['is huge', { enum: ['x'.repeat(70_000)] }],
  ])('ignores a schema that %s', async (_how, schema) => {
    expect(await findFault(schema, { a: 'x' })).toBeUndefined();
  });

  it('matches a pattern in linear time that takes other engines forever', async () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(await findFault(schema, { a: `${'a'.repeat(40)}!` })).toContain('must match pattern');
  });
});

const branch = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] };
const doubling = { $ref: '#/$defs/node', $defs: { node: { anyOf: [branch, branch, { const: 'end' }] } } };

function nest(depth: number): object {
  return depth === 0 ? { next: 'no end' } : { next: nest(depth - 1) };
}

describe('a schema that takes too long to check', () => {
  it('rejects arguments whose check doubles with each level, and checks others afterwards', async () => {
    expect(await findFault(doubling, nest(40))).toBe(TOO_SLOW);
    expect(await findFault(doubling, { next: { next: 'end' } })).toBeUndefined();
    expect(await findFault(doubling, nest(2))).toContain('must match a schema in anyOf');
    expect(await findFault(city, { city: 'bern' })).toContain('must match pattern');
  });

  it('rejects arguments whose check grows with the square of their length', async () => {
    const items = Array.from({ length: 60_000 }, (_, index) => ({ index }));
    expect(await findFault({ properties: { items: { uniqueItems: true } } }, { items })).toBe(TOO_SLOW);
  });

  it('answers the quick checks of other accounts before it ends', async () => {
    thread = new SchemaThread({ checkMsMax: 25_000 });
    let isOver = false;
    const slow = findFault(doubling, nest(40), 'slow').finally(() => {
      isOver = true;
    });
    const stopped = expect(slow).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    while (!thread.running.slow) await new Promise((resolve) => setImmediate(resolve));
    expect(await findFault(city, { city: 'bern' }, 'quick')).toContain('must match pattern');
    expect(await findFault(city, { city: 'Bern' }, 'slow')).toBeUndefined();
    expect(isOver).toBe(false);
    await thread.stop();
    await stopped;
  });
});

/** Compiles in exponential time. */
function slowSchema(): Record<string, unknown> {
  const $defs: Record<string, unknown> = { s0: { type: 'string' } };
  for (let i = 1; i < 40; i++)
    $defs[`s${i}`] = { allOf: [{ $ref: `#/$defs/s${i - 1}` }, { $ref: `#/$defs/s${i - 1}` }] };
  return { type: 'object', properties: { a: { $ref: '#/$defs/s39' } }, $defs };
}

describe('a schema that is declared', () => {
  it.each([
    ['is ordinary', city],
    [
      'has a name',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://example.com/a', type: 'object' },
    ],
    ['has an unknown format', { properties: { a: { format: 'nonsense' } } }],
  ])('accepts a schema that %s', async (_how, schema) => {
    expect((await thread.check('p', schema)).fault).toBeUndefined();
  });

  it.each([
    ['is invalid', { type: 'nonsense' }],
    ['refers to another document', { $ref: 'https://example.com/schema.json' }],
    ['has a pattern without linear time', { properties: { a: { pattern: '(?=x)' } } }],
    ['is huge', { enum: ['x'.repeat(70_000)] }],
  ])('names the fault of a schema that %s', async (_how, schema) => {
    expect((await thread.check('p', schema)).fault).toMatch(/^(is not a usable JSON Schema|has more than)/);
  });

  it('refuses a schema whose check takes too long, and checks the next one', async () => {
    const { fault, ms } = await thread.check('p', slowSchema(), 50);
    expect(fault === undefined || fault.startsWith('takes too long')).toBe(true);
    expect(ms).toBeGreaterThan(0);
    expect((await thread.check('p', { type: 'object' })).fault).toBeUndefined();
  });

  it('checks a schema before the backlog of another project', async () => {
    const order: string[] = [];
    const check = async (project: string) => {
      await thread.check(project, { type: 'object' });
      order.push(project);
    };
    await Promise.all([...Array.from({ length: 10 }, () => check('busy')), check('other')]);
    expect(order.indexOf('other')).toBeLessThan(3);
  });
});

describe('a thread of schemas', () => {
  it('refuses a check when too many wait, with an error that asks to try again', async () => {
    thread = new SchemaThread({ waitingMax: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => thread.check('p', { type: 'object' })));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals[0]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  });

  it('forgets a check whose caller has left', async () => {
    const left = AbortSignal.abort(new Error('the client left'));
    await expect(thread.findFault('p', city, '{}', left)).rejects.toThrow('the client left');
  });

  it('ends when it is idle', async () => {
    thread = new SchemaThread({ idleMs: 50 });
    const isRunning = () => thread.running.quick || thread.running.slow;
    await thread.check('p', { type: 'object' });
    expect(isRunning()).toBe(true);
    while (isRunning()) await new Promise((resolve) => setImmediate(resolve));
  });

  it('asks to check a schema again later when the process stops', async () => {
    thread = new SchemaThread();
    const refused = expect(thread.check('p', { type: 'object' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryable: true,
    });
    while (!thread.running.quick) await new Promise((resolve) => setImmediate(resolve));
    await thread.stop();
    await refused;
  });
});
