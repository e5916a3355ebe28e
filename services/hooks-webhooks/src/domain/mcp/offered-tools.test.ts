import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { judgeTools, offeredName } from './offered-tools.js';

const server = { name: 'srv', toolsAllowlist: [] as string[] };
const raw = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const checks = { check: async () => undefined, redact: (text: string) => text };
const judge = (listed: unknown[], given: Partial<typeof server> = {}) =>
  judgeTools({ ...server, ...given }, { tools: listed, version: '2025-11-25' }, checks);
const names = async (listed: unknown[]) => (await judge(listed)).tools.map(({ name }) => name);

describe('offeredName', () => {
  it('keeps plain names, and makes others unique', () => {
    expect(offeredName('srv', 'create_note')).toBe('mcp__srv__create_note');
    const [dotted, underscored, long] = ['a.b', 'a_b', 'x'.repeat(100)].map((tool) => offeredName('srv', tool));
    expect(dotted).toMatch(/^mcp__srv__a_b_[0-9a-f]{8}$/);
    expect(underscored).toBe('mcp__srv__a_b');
    expect(long).toMatch(/^mcp__srv__x+_[0-9a-f]{8}$/);
    expect(long).toHaveLength(64);
  });

  it('returns names that every provider accepts, different for different servers', () => {
    const serverName = fc.stringMatching(/^[a-z0-9]{1,9}(-[a-z0-9]{1,9})?$/);
    const toolName = fc.stringMatching(/^[\w./:-]{1,128}$/);
    fc.assert(
      fc.property(serverName, toolName, serverName, toolName, (a, tool, b, other) => {
        expect(offeredName(a, tool)).toMatch(/^mcp__[\w-]{1,59}$/);
        if (a !== b) expect(offeredName(a, tool)).not.toBe(offeredName(b, other));
      }),
    );
  });
});

describe('judgeTools', () => {
  it('keeps the first of tools with the same name', async () => {
    const { tools, refused } = await judge([raw('a', { description: 'first' }), raw('a', { description: 'second' })]);
    expect(tools).toMatchObject([{ description: 'first' }]);
    expect(refused).toEqual([{ tool: 'a', reason: 'another tool has the same name' }]);
  });

  it('keeps one of two tools whose offered names are equal', async () => {
    const dotted = offeredName('srv', 'a.b').slice('mcp__srv__'.length);
    expect(await names([raw('a.b'), raw(dotted)])).toEqual([`mcp__srv__${dotted}`]);
  });

  it('offers allowed tools only', async () => {
    expect(await judge([raw('a'), raw('b')], { toolsAllowlist: ['b'] })).toMatchObject({
      tools: [{ tool: 'b' }],
      refused: [],
    });
  });

  it('takes the marks of headers out of schemas, and refuses invalid ones of version 2026-07-28', async () => {
    const property = (mark: string) => ({
      type: 'object',
      properties: { a: { type: 'string', 'x-mcp-header': mark } },
    });
    const tools = [raw('a', { inputSchema: property('A') }), raw('b', { inputSchema: property('no name') })];
    const shown = JSON.stringify({ type: 'object', properties: { a: { type: 'string' } } });
    const a = { tool: 'a', parametersJson: shown, headerParams: [{ header: 'A', path: ['a'] }] };
    expect(await judgeTools(server, { tools, version: '2026-07-28' }, checks)).toMatchObject({
      version: '2026-07-28',
      tools: [a],
      refused: [{ tool: 'b', reason: expect.stringContaining('x-mcp-header') }],
    });
    expect((await judge(tools)).tools).toMatchObject([
      { ...a, headerParams: [] },
      { tool: 'b', headerParams: [] },
    ]);
  });

  it.each<[string, unknown]>([
    ['valid name', { inputSchema: { type: 'object' } }],
    ['valid name', raw('with space')],
    ['valid name', null],
    ['object', raw('a', { inputSchema: { type: 'array' } })],
    ['16384', raw('a', { inputSchema: { type: 'object', description: 'x'.repeat(17_000) } })],
    ['task', raw('a', { execution: { taskSupport: 'required' } })],
    ['nested', raw('a', { inputSchema: { type: 'object', x: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) } })],
  ])('refuses a tool without a %s', async (reason, given) => {
    expect(await judge([given])).toMatchObject({ tools: [], refused: [{ reason: expect.stringContaining(reason) }] });
  });

  it('bounds the number of tools, and what their schemas have together', async () => {
    expect(await names(Array.from({ length: 200 }, (_, n) => raw(`t${n}`)))).toHaveLength(64);
    const large = { inputSchema: { type: 'object', description: 'x'.repeat(16_000) } };
    const { tools, refused } = await judge(Array.from({ length: 500 }, (_, n) => raw(`t${n}`, large)));
    expect([tools.length, refused.length]).toEqual([8, 100]);
  });

  it('offers the tools behind any number of faulty ones', async () => {
    const check = async ({ properties }: { properties?: unknown }) =>
      Array.isArray(properties) ? 'is not usable' : undefined;
    const faulty = Array.from({ length: 150 }, (_, n) =>
      raw(`bad${n}`, { inputSchema: { type: 'object', properties: [] } }),
    );
    const listed = [null, raw(''), raw('x', { inputSchema: null }), ...faulty, raw('a'), raw('b'), raw('c')];
    const { tools, refused } = await judgeTools(server, { tools: listed, version: '2025-11-25' }, { ...checks, check });
    expect(tools.map(({ tool }) => tool)).toEqual(['a', 'b', 'c']);
    expect(refused[50]).toMatchObject({ reason: 'its schema is not usable' });
  });

  it('reads hints that are malformed as absent', async () => {
    const hints = [{ readOnlyHint: true }, { idempotentHint: true }, { readOnlyHint: 'yes' }, 'x', undefined];
    const { tools } = await judge(hints.map((annotations, n) => raw(`t${n}`, { annotations })));
    expect(tools.map(({ isRepeatable }) => isRepeatable)).toEqual([true, true, false, false, false]);
  });

  it('redacts texts before they are cut, and no names', async () => {
    const redact = (text: string) => text.replaceAll('issues', '[redacted]');
    const description = `${'x'.repeat(4_090)}issues`;
    const inputSchema = { type: 'object', description, properties: { issues: { type: 'string' } } };
    const { tools } = await judgeTools(
      server,
      { tools: [raw('list_issues', { description, inputSchema })], version: '2025-11-25' },
      {
        ...checks,
        redact,
      },
    );
    expect(tools).toMatchObject([{ tool: 'list_issues', name: 'mcp__srv__list_issues' }]);
    expect(tools[0]?.description.slice(-6)).toBe('[redac');
    expect(JSON.parse(tools[0]?.parametersJson ?? '')).toEqual({
      ...inputSchema,
      description: `${'x'.repeat(4_090)}[redacted]`,
    });
  });
});
