// One tenant disturbs the system within its limits; another tenant's small requests must not fail. Their durations are
// printed next to those of an undisturbed run, and never asserted.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type System, startSystem, type TestCustomer, type TestProject } from '../../system/start-system.js';
import { type Actor, AWFUL_THINGS } from './awful-things.js';
import { observe, REPORT_HEAD, reportLine } from './bystander.js';

const PROVIDER = fileURLToPath(new URL('../../../packages/testkit/dist/fake-provider-main.js', import.meta.url));
const UNDISTURBED_MS = 5_000;
/** Small requests are observed a little longer than the disturbance lasts. */
const AFTERMATH_MS = 1_000;

let provider: ChildProcess;
let system: System;
let actor: Actor;
let bystander: TestCustomer;
const report: string[] = [];

beforeAll(async () => {
  // The provider has its own process, so that its load is not mistaken for load of the service.
  provider = spawn(process.execPath, [PROVIDER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(provider.stdout as NodeJS.ReadableStream, 'data');
  system = await startSystem({
    mode: 'separate processes',
    env: {
      OPENAI_BASE_URL: JSON.parse(String(line)).base_url,
      RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
      RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
      RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
    },
  });
  const project: TestProject = await system.project();
  actor = { system, project, customer: await project.customerOn('free', { spendLimitCents: null }) };
  bystander = await (await system.project()).customerOn('free', { spendLimitCents: null });
  report.push(REPORT_HEAD);
  // The first requests warm up the processes.
  await observe(bystander.api, sleep(2_000));
  report.push(reportLine('nothing', await observe(bystander.api, sleep(UNDISTURBED_MS))));
});
afterAll(async () => {
  process.stderr.write(`\n${report.join('\n')}\n`);
  await system?.stop();
  provider?.kill();
});

it.each(Object.keys(AWFUL_THINGS))("fails none of another tenant's small requests while one sends %s", async (name) => {
  let note = '';
  const disturbance = async (): Promise<void> => {
    note = await (AWFUL_THINGS[name] as (actor: Actor) => Promise<string>)(actor);
    await sleep(AFTERMATH_MS);
  };
  const observation = await observe(bystander.api, disturbance());
  report.push(reportLine(name, observation, note));
  expect(observation.failures).toEqual([]);
});
