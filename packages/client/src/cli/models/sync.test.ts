import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeShell, fakeShell } from '../../testing/fake-shell.js';

const entry = {
  litellm_provider: 'mistral',
  mode: 'chat',
  max_input_tokens: 1_000,
  max_output_tokens: 100,
  input_cost_per_token: 1e-6,
  output_cost_per_token: 3e-6,
};
const LIST = {
  sample_spec: { mode: 'one of: chat' },
  'mistral/old': { ...entry, input_cost_per_token: 2e-6 },
  'mistral/new': entry,
  'mistral/gone': { ...entry, deprecation_date: '2000-01-01', successor_model: 'mistral/old' },
  'mistral/scan': { ...entry, mode: 'ocr' },
};
const kept = (id: string) => ({
  model_id: `mine/${id}`,
  provider: 'custom',
  capabilities: ['text'],
  context_window: 900,
  max_output_tokens: 100,
  input_cost_per_million_cents: 100,
  output_cost_per_million_cents: 300,
  routes: [{ connection: 'mine', upstream_model: id }],
});

let shell: FakeShell;
let folder: string;
let file: string;
let from: string;

beforeEach(() => {
  shell = fakeShell({ 'GET /prices.json': () => LIST });
  folder = dirname(shell.config.folder);
  file = join(folder, 'models.json');
  from = join(folder, 'prices.json');
  writeFileSync(from, JSON.stringify(LIST));
  writeFileSync(file, JSON.stringify({ models: [kept('old'), kept('gone')], note: 'stays' }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sync = (...more: string[]) =>
  shell.run('models', 'sync', 'mistral', '--from', from, '--file', file, '--connection', 'mine', ...more);
const read = () => JSON.parse(readFileSync(file, 'utf8'));

describe('models sync', () => {
  it('shows what is added, changed and retired, what was left out, and writes nothing', async () => {
    const before = readFileSync(file, 'utf8');
    expect(await sync()).toBe(0);
    expect(shell.out).toEqual([
      '~ mine/old',
      '    input_cost_per_million_cents: 100 → 200',
      '+ mine/new: 100 in, 300 out (cents per million)',
      '- mine/gone is retired; use mine/old',
    ]);
    expect(shell.err).toEqual([
      '1 added, 1 changed, 1 retired',
      'left out: scan: mode ocr is not served',
      `nothing was written; add --write to change ${file}`,
    ]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('writes the differences with --write, and then has none; everything else of the file stays', async () => {
    chmodSync(file, 0o640);
    expect(await sync('--write')).toBe(0);
    expect(read()).toEqual({
      models: [
        { ...kept('old'), input_cost_per_million_cents: 200 },
        { ...kept('gone'), retired: { use: 'mine/old' } },
        { ...kept('new'), context_window: 1_000, routes: [{ ...kept('new').routes[0], provider: 'custom' }] },
      ],
      note: 'stays',
    });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(['models.json', 'prices.json']);
    shell.out.length = 0;
    expect(await sync('--write')).toBe(0);
    expect(shell.out).toEqual([]);
  });

  it('takes only the models that are asked for, or only those of the catalog', async () => {
    await sync('--json', '--only', 'new');
    expect(JSON.parse(shell.out.join('')).changes).toMatchObject([{ kind: 'added', model_id: 'mine/new' }]);
    shell.out.length = 0;
    await sync('--json', '--existing');
    expect(JSON.parse(shell.out.join('')).changes).toMatchObject([{ kind: 'changed' }, { kind: 'retired' }]);
  });

  it('reads the list from an address, and creates a file that does not exist', async () => {
    from = `${shell.config.url}/prices.json`;
    rmSync(file);
    expect(await sync('--write', '--only', 'new')).toBe(0);
    expect(read().models).toMatchObject([{ model_id: 'mine/new', provider: 'custom' }]);
  });

  it.each<[string, () => void, string]>([
    ['a list that does not exist', () => rmSync(from), 'prices.json does not exist'],
    ['a list that is not JSON', () => writeFileSync(from, '{'), 'prices.json is not JSON'],
    ['a list of another form', () => writeFileSync(from, '{"a": {}}'), 'is neither LiteLLM'],
    [
      'a list without the vendor',
      () => writeFileSync(from, '{"a": {"litellm_provider": "x"}}'),
      'has no models of mistral',
    ],
    [
      'an address that fails',
      () => {
        from = `${shell.config.url}/nothing`;
      },
      'answers 404',
    ],
    ['a catalog file that is not JSON', () => writeFileSync(file, '['), 'models.json is not JSON'],
    ['a catalog file of another form', () => writeFileSync(file, '{"models": [{}]}'), 'is no catalog'],
  ])('refuses %s', async (_what, prepare, message) => {
    prepare();
    expect(await sync('--write')).toBe(2);
    expect(shell.err.join('\n')).toContain(message);
  });

  it('refuses an unknown vendor, and one without its connection', async () => {
    const run = (vendor: string) => shell.run('models', 'sync', vendor, '--from', from, '--file', file);
    expect(await run('unknown')).toBe(2);
    expect(shell.err.join('\n')).toContain('unknown vendor unknown; known are openai');
    expect(await run('mistral')).toBe(2);
    expect(shell.err.join('\n')).toContain('--connection is required for mistral');
  });
});
