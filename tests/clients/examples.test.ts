// Every program of examples/ against a running system, as its README runs it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, tierBody } from '@tollgate/testkit';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { runTool } from './run-tool.js';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
// The programs of TypeScript and curl need no Python; in CI a missing one fails.
const hasPython = process.env.CI === 'true' || spawnSync('python3', ['--version']).status === 0;
const withPython = hasPython ? it : it.skip;

const system = useSystem();
const project = useProject(system);
let folder: string;

beforeAll(async () => {
  await createPlans();
  const { token } = await project.customerOn('free');
  folder = mkdtempSync(join(tmpdir(), 'tollgate-examples-'));
  const file = {
    base_url: system.baseUrl,
    project_id: project.id,
    secret_key: project.secretKey,
    customer_token: token,
    owner: { access_token: project.ownerToken },
  };
  writeFileSync(join(folder, 'tollgate.json'), JSON.stringify(file));
}, 300_000);
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The plans `free` and `pro`, as `npm start` has them. */
async function createPlans(): Promise<void> {
  const form = new URLSearchParams({ currency: 'usd', unit_amount: '2000', 'recurring[interval]': 'month' });
  form.set('product_data[name]', 'Pro');
  const headers = { authorization: 'Bearer sk_test_system' };
  const answer = await fetch(`${system.processor.baseUrl}/v1/prices`, { method: 'POST', body: form, headers });
  const { id } = (await answer.json()) as Json;
  const price = { price_amount_cents: 2_000, price_currency: 'usd', price_interval: 'month', billing_price_ref: id };
  const plans = [
    { tier_code: 'free', spend_limit_cents: 100 },
    { tier_code: 'pro', spend_limit_cents: 2_000, ...price },
  ];
  for (const plan of plans) must(await project.owner.post(`/projects/${project.id}/tiers`, tierBody(plan)), 201);
}

function toCommand(program: string): [string, string[]] {
  const path = join(EXAMPLES, program);
  if (program.endsWith('.ts')) return [process.execPath, ['--import', 'tsx', path]];
  return [program.endsWith('.py') ? 'python3' : 'bash', [path]];
}

function run(program: string, ...more: string[]): Promise<string> {
  const [command, args] = toCommand(program);
  const env = { TOLLGATE_FILE: join(folder, 'tollgate.json') };
  return runTool(command, [...args, ...more], { cwd: EXAMPLES, env, timeoutMs: 170_000 });
}

describe('the example', () => {
  it('streams an answer with TypeScript', async () => {
    expect(await run('stream/stream.ts')).toMatch(/^lorem ipsum/);
  });

  withPython('streams an answer with Python', async () => {
    expect(await run('stream/stream.py')).toMatch(/^lorem ipsum/);
  });

  it('streams an answer with curl', async () => {
    expect(await run('stream/stream.sh')).toMatch(/^data: \{"type":"start"[\s\S]*"type":"update"/);
  });

  it('executes the tool of an agent in a hook', async () => {
    const printed = await run('agent-with-a-hook/agent-with-a-hook.ts');
    expect(printed).toContain('The hook executes get_weather with {"city":"Lisbon"}');
    expect(printed).toMatch(/The run has succeeded: .*celsius/);
  });

  it('receives a signed webhook with TypeScript', async () => {
    expect(await run('webhook-receiver/receiver.ts', '--once')).toMatch(/^Received request\.completed /m);
  });

  withPython('receives a signed webhook with Python', async () => {
    expect(await run('webhook-receiver/receiver.py', '--once')).toMatch(/^Received request\.completed /m);
  });

  it.each(['sell-a-plan/sell-a-plan.ts', 'sell-a-plan/sell-a-plan.sh'])(
    'completes the sale of a plan: %s',
    async (program) => {
      expect(await sell(program)).toMatch(/What is a tollgate\?[\s\S]*(1 request|"requests":1)/);
    },
  );
});

/** Runs the program and pays on the page whose address it prints. */
function sell(program: string): Promise<string> {
  const [command, args] = toCommand(program);
  const env = { ...process.env, NODE_OPTIONS: '', TOLLGATE_FILE: join(folder, 'tollgate.json') };
  const child = spawn(command, args, { cwd: EXAMPLES, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 170_000 });
  let printed = '';
  let failures = '';
  let isPaid = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const [, url] = /^Pay here, in a browser: (\S+)\n/m.exec(printed) ?? [];
    if (url === undefined || isPaid) return;
    isPaid = true;
    const body = new URLSearchParams({ do: 'pay', card: 'pm_card_visa' });
    fetch(url, { method: 'POST', body, redirect: 'manual' }).catch((error: unknown) => {
      failures += String(error);
      child.kill();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    failures += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${program}: ${code}\n${failures}`)),
    );
  });
}
