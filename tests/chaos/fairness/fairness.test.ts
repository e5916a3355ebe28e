// One tenant disturbs the system within its limits; another tenant's small requests must not fail. Their durations are
// printed next to those of an undisturbed run, and never asserted.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { apiClient } from '@tollgate/testkit';
import { type System, startSystem, type TestProject } from '../../system/start-system.js';
import { type Actor, AWFUL_THINGS } from './awful-things.js';
import { type Bystander, type Observation, observe, reportHead, reportLine } from './bystander.js';
import { createLoopTraces, LOOPS, readLoopDelays } from './loop-delays.js';

const PROVIDER = fileURLToPath(new URL('../../../packages/testkit/dist/fake-provider-main.js', import.meta.url));
const UNDISTURBED_MS = 5_000;
/** Small requests are observed a little longer than the disturbance lasts. */
const AFTERMATH_MS = 1_000;

let provider: ChildProcess;
let system: System;
let actor: Actor;
let bystander: Bystander;
const report: string[] = [];
const traces = createLoopTraces();

beforeAll(async () => {
  // The provider has its own process, so that its load is not mistaken for load of the service.
  provider = spawn(process.execPath, [PROVIDER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(provider.stdout as NodeJS.ReadableStream, 'data');
  const providerUrl: string = JSON.parse(String(line)).base_url;
  system = await startSystem({
    mode: 'separate processes',
    env: {
      ...traces.env,
      OPENAI_BASE_URL: providerUrl,
      RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
      RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
      RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
    },
  });
  const project: TestProject = await system.project();
  actor = { system, project, customer: await project.customerOn('free', { spendLimitCents: null }) };
  const { api } = await (await system.project()).customerOn('free', { spendLimitCents: null });
  bystander = { api, provider: apiClient(providerUrl) };
  report.push(reportHead(LOOPS));
  // The first requests warm up the processes.
  await observe(bystander, sleep(2_000));
  await observeAndReport('nothing', async () => {
    await sleep(UNDISTURBED_MS);
    return '';
  });
});
afterAll(async () => {
  process.stderr.write(`\n${report.join('\n')}\n`);
  await bystander?.provider.close();
  await system?.stop();
  traces.remove();
  if (provider?.kill()) await once(provider, 'exit');
});

it.each(Object.keys(AWFUL_THINGS))("fails none of another tenant's small requests while one sends %s", async (name) => {
  const { failures } = await observeAndReport(name, async () => {
    const note = await (AWFUL_THINGS[name] as (actor: Actor) => Promise<string>)(actor);
    await sleep(AFTERMATH_MS);
    return note;
  });
  expect(failures).toEqual([]);
});

/** `disturb` resolves with a note for the report. */
async function observeAndReport(name: string, disturb: () => Promise<string>): Promise<Observation> {
  await readLoopDelays(system.stack.services);
  traces.read();
  const disturbance = disturb();
  const observation = await observe(bystander, disturbance);
  const loops = { busy: traces.read(), delays: await readLoopDelays(system.stack.services) };
  report.push(reportLine(name, observation, loops, await disturbance));
  return observation;
}
