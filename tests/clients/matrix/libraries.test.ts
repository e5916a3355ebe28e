// Each client library, unmodified, on models of three vendors behind the gateway: the vendor of its own wire format, whose
// answers are forwarded, and two others, whose answers are translated. The usage that the library reports equals the bill.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../../system/start-system.js';
import { toVendorEnv } from '../../system/vendor-env.js';
import { CELLS, type Cell, LIBRARIES, type LibraryRow } from './clients.js';
import { PASSED, Results, readTable, renderTable } from './table.js';
import { startWarmProgram, type TaskResult, type Usage, type WarmProgram } from './warm-program.js';

const PROGRAMS = fileURLToPath(new URL('../programs/matrix/', import.meta.url));
const MODELS = ['test/openai-1', 'test/anthropic-1', 'test/google-1'];
const PRICE = { input: 200, output: 600 };
const COLUMNS = { chat: 'Chat', stream: 'Stream', tools: 'Tools', structured: 'Structured output' };
const BILL = 'Usage = bill';
const PROMPTS: Record<Cell, string> = {
  chat: 'hello there',
  stream: 'hello there',
  tools: 'call tool get_weather with {"city":"Paris"}',
  structured: 'a book',
};
const results = new Results();

describeWith('CLIENT_TOOLS', 'the matrix of client libraries', (tools) => {
  let vendors: FakeProvider;
  let system: System;
  let project: TestProject;
  let folder: string;

  beforeAll(async () => {
    vendors = await startFakeProvider({ apiKey: 'k-upstream' });
    system = await startSystem({ mode: 'one process', env: { ...toVendorEnv(vendors), OPENAI_RESPONSES_API: '1' } });
    project = await system.project();
    folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
    // Programs import the libraries of the folder above them.
    cpSync(join(PROGRAMS, 'node'), join(folder, 'node'), { recursive: true });
    symlinkSync(join(tools, 'libraries/node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'home'));
  });
  afterAll(async () => {
    await system?.stop();
    await vendors?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
    process.stdout.write(`\n${renderTable(toTable())}\n`);
  });

  describe.each(LIBRARIES.map((row) => [nameRow(row), row] as const))('%s', (name, row) => {
    let program: WarmProgram;
    let customer: TestCustomer;
    /** Of the answers, as the library reports it. */
    const reported: Usage = { input: 0, output: 0 };
    let served: ReturnType<FakeProvider['journal']['totals']>;

    beforeAll(async () => {
      customer = await newCustomer();
      served = vendors.journal.totals();
      program = await startProgram(row);
      results.setVersion(name, program.version);
    });
    afterAll(() => program?.stop());

    describe.each(CELLS)('%s', (cell) => {
      it.each(MODELS)('works with %s', (model) =>
        results.record(name, COLUMNS[cell], async () => {
          const at = { origin: system.stack.httpUrl, apiKey: customer.token };
          const result = await program.run({ cell, ...at, model, prompt: PROMPTS[cell] });
          expect(result.error).toBeUndefined();
          expectAnswer(cell, result);
          expect(result.strangers).toEqual([]);
          reported.input += result.usage?.input ?? Number.NaN;
          reported.output += result.usage?.output ?? Number.NaN;
        }),
      );
    });

    it('reports the usage that is billed', () =>
      results.record(name, BILL, async () => {
        const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
        const { calls, inputTokens, outputTokens } = vendors.journal.totals();
        const input = inputTokens - served.inputTokens;
        const output = outputTokens - served.outputTokens;
        expect(usage.requests).toBe(calls - served.calls);
        expect(usage.total_cost_microcents).toBe(input * PRICE.input + output * PRICE.output);
        if (row.miscounts === undefined) expect(reported).toEqual({ input, output });
        else expect(reported).not.toEqual({ input, output });
      }));
  });

  it('has the results that the document shows', () => {
    const hasRun = ({ rows }: ReturnType<typeof toTable>) => rows.every((row) => row.every((cell) => cell !== ''));
    if (hasRun(toTable())) expect(readTable('Libraries')).toBe(renderTable(toTable()));
  });

  async function newCustomer(): Promise<TestCustomer> {
    const models = MODELS.map((model_id, i) => ({
      ...{ model_id, is_default: i === 0 },
      input_price_per_million_cents: PRICE.input,
      output_price_per_million_cents: PRICE.output,
    }));
    return project.customerOn('free', { spendLimitCents: 100_000, tier: { models } });
  }

  function startProgram({ environment, program: [file, ...args] }: LibraryRow): Promise<WarmProgram> {
    const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), PYTHONDONTWRITEBYTECODE: '1' };
    const command =
      environment === undefined
        ? ([join(tools, 'node/package/bin/node'), join(folder, 'node', file)] as const)
        : ([join(tools, 'python', environment, 'bin/python'), join(PROGRAMS, 'python', file)] as const);
    return startWarmProgram(command[0], [command[1], ...args], { cwd: folder, env });
  }
});

function expectAnswer(cell: Cell, { text, pieces, inputs, object }: TaskResult): void {
  if (cell === 'chat') expect(text).toContain('hello there');
  if (cell === 'stream') {
    expect(pieces?.join('')).toContain('hello there');
    expect(pieces?.length).toBeGreaterThan(1);
  }
  if (cell === 'tools') {
    expect(inputs).toEqual([{ city: 'Paris' }]);
    expect(text).toContain('21 degrees');
  }
  if (cell === 'structured') expect(object).toEqual({ title: 'sample', pages: 1 });
}

/** Two majors of a library have different programs or environments. */
function nameRow({ client, environment, program }: LibraryRow): string {
  return environment === undefined
    ? `${client} (${program.slice(1).join(', ')})`
    : `${client} (Python, ${environment})`;
}

function toTable() {
  const columns = ['Client', 'Language', 'Version', ...Object.values(COLUMNS), BILL];
  const rows = LIBRARIES.map((row) => {
    const name = nameRow(row);
    const cells = [...Object.values(COLUMNS), BILL].map((column) => results.render(name, column));
    if (row.miscounts !== undefined && cells.at(-1) === PASSED) cells.push(`${cells.pop()} ¹`);
    return [row.client, row.language, results.readVersion(name), ...cells];
  });
  return { columns, rows };
}
