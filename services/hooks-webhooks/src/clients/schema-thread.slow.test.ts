import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { compileFault } from '@tollgate/tools/schema-fault';
import { SchemaThread } from './schema-thread.js';

let thread: SchemaThread;
beforeEach(() => {
  thread = new SchemaThread({ idleMs: 50 });
});
afterEach(() => thread.stop());

/** Compiles in exponential time. */
function slowSchema(): Record<string, unknown> {
  const $defs: Record<string, unknown> = { s0: { type: 'string' } };
  for (let i = 1; i < 40; i++)
    $defs[`s${i}`] = { allOf: [{ $ref: `#/$defs/s${i - 1}` }, { $ref: `#/$defs/s${i - 1}` }] };
  return { type: 'object', properties: { a: { $ref: '#/$defs/s39' } }, $defs };
}

describe('a schema in the thread', () => {
  it.each([
    ['is ordinary', { type: 'object', properties: { city: { type: 'string', pattern: '^[A-Z]' } } }],
    [
      'has a name',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://example.com/a', type: 'object' },
    ],
    ['is invalid', { type: 'nonsense' }],
    ['refers to another document', { $ref: 'https://example.com/schema.json' }],
    ['has a pattern without linear time', { properties: { a: { pattern: '(?=x)' } } }],
    ['has an unknown format', { properties: { a: { format: 'nonsense' } } }],
    ['is huge', { enum: ['x'.repeat(70_000)] }],
  ])('has the same fault as in the event loop if it %s', async (_how, schema) => {
    expect((await thread.check('p', schema)).fault).toBe(compileFault(schema));
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

  it('asks to check a schema again later when the process stops', async () => {
    const refused = expect(thread.check('p', { type: 'object' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryable: true,
    });
    await waitUntil(() => thread.isRunning, { what: 'the thread to start' });
    await thread.stop();
    await refused;
    expect(thread.isRunning).toBe(false);
  });
});
