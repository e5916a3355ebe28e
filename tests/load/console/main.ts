// `npm run bench -- --console`: the lists of the console in a browser, with 100,000 customers and a million requests.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@tollgate/postgres';
import { waitUntil } from '@tollgate/testkit';
import { type ConsolePage, openChromium, openConsole } from '../../console/console-page.js';
import { must, SANDBOX_MODEL, type System, startSystem, type TestProject } from '../../system/start-system.js';
import { installRecorder, type RecordedPlan, startRecording, stopRecording } from '../data/recorded-plans.js';
import { table } from '../table.js';
import { seedLoad } from './seed-load.js';

const OWNER = 'owner@tollgate.local';
const DAYS = 30;
const CUSTOMERS = 100_000;
/** A page of a list in the console. */
const PAGE_ROWS = 50;
const SUMS_MS = 600_000;
/** A statement of a list; sums read the same tables, but start with what they insert. */
const LIST = /^(?!\s*INSERT).*FROM (customers c|requests r) .*ORDER BY/s;

type Step = readonly [what: string, act: () => Promise<unknown>];

export interface ConsoleLoad {
  /** Milliseconds until the rows of each page were shown. */
  times: string;
  /** Lists that read more than a page, or read it without an index; empty if all is well. */
  faults: string[];
}

/** Loads each list in the browser `chromium` with `requests` rows, and judges the plans of the lists' statements. */
export async function loadConsole(chromium: string, requests: number): Promise<ConsoleLoad> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  chmodSync(folder, 0o755); // the server may run as another account
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  process.env.TEST_DATABASE_URL = server.url;
  try {
    return await measure(chromium, requests);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(chromium: string, requests: number): Promise<ConsoleLoad> {
  const grown = new Set<string>();
  installRecorder(grown);
  const system = await startSystem({ mode: 'one process', env: { DEV_OWNER_EMAIL: OWNER } });
  const browser = await openChromium(chromium);
  try {
    const times: string[] = [];
    const failed: string[] = [];
    const time = async ([what, act]: Step) => {
      const start = performance.now();
      await act().catch((error: Error) => failed.push(`${what}: ${error.message}`));
      times.push(`${what} | ${Math.round(performance.now() - start)}`);
    };
    const project = await seed(system, requests, grown, time);
    const projectId = project.id;
    const shown = await openConsole(browser, system.stack.httpUrl);
    const large = watchLists(shown);
    await signIn(shown, projectId);
    const steps = await listSteps(system, shown, projectId);
    for (const step of steps) await time(step);
    // An explained statement runs twice, so plans are recorded in a second round.
    startRecording();
    for (const [, act] of steps) await act();
    const plans = stopRecording().filter(({ statement }) => LIST.test(statement));
    await time(['summing the past hours', () => waitForSums(system)]);
    for (const step of [...usageSteps(system, shown, projectId), ...reportSteps(project)]) await time(step);
    const faults = [...failed, ...plans.flatMap(judgePlan), ...large, ...shown.faults];
    if (plans.length === 0) faults.push('no statement of a list was recorded');
    return { times: table('page | ms', times), faults };
  } finally {
    await browser.close();
    await system.stop();
  }
}

async function seed(
  system: System,
  requests: number,
  grown: Set<string>,
  time: (step: Step) => Promise<void>,
): Promise<TestProject> {
  const project = await system.project();
  await system.query('UPDATE edge_gateway.users SET email = $1, email_key = $1', [OWNER]);
  const models = [{ model_id: SANDBOX_MODEL, is_default: true }];
  const free = { tier_code: 'free', display_name: 'Free', spend_limit_cents: 500, models };
  const { tier } = must(await project.owner.post(`/projects/${project.id}/tiers`, free), 201);
  const load = { customers: CUSTOMERS, requests, days: DAYS };
  const fill = async () => {
    for (const name of await seedLoad(system, project, tier.id, load)) grown.add(name);
  };
  await time(['seeding', fill]);
  return project;
}

/** Returns the lists that had more rows than a page; it grows as the page is used. */
function watchLists({ page }: ConsolePage): string[] {
  const large: string[] = [];
  page.on('response', async (response) => {
    const list = /\/(customers|requests)$/.exec(new URL(response.url()).pathname)?.[1];
    if (list === undefined || response.request().method() !== 'GET' || !response.ok()) return;
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown[]>;
    const rows = body[list]?.length ?? 0;
    if (rows > PAGE_ROWS) large.push(`a page of ${list} has ${rows} rows`);
  });
  return large;
}

async function signIn({ open, page }: ConsolePage, projectId: string): Promise<void> {
  await open(`/p/${projectId}/settings`);
  await page.getByRole('button', { name: 'Continue as the local owner' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
}

async function listSteps(system: System, { page }: ConsolePage, projectId: string): Promise<Step[]> {
  const open = (path: string) => page.goto(`${system.stack.httpUrl}/console/p/${projectId}/${path}`);
  const seeRow = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text }).first().waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const search = page.getByRole('searchbox', { name: 'Search' });
  const rows = () => seeRow('succeeded');
  const failed = () => page.getByRole('cell', { name: 'failed' }).first().waitFor();
  const [customer] = await system.query<{ id: string }>("SELECT md5('customer 4242')::uuid::text AS id");
  const next = async () => {
    await press('Next');
    await page.waitForURL(/cursor=/);
    await rows();
  };
  return [
    ['customers: first page', () => open('customers').then(() => seeRow('user-100000'))],
    ['customers: next page', () => press('Next').then(() => seeRow('user-99950'))],
    ['customers: page after', () => press('Next').then(() => seeRow('user-99900'))],
    ['customers: search by email', () => search.fill('user-4242@').then(() => seeRow(/user-4242@/))],
    ['customers: search with 11,111 matches', () => search.fill('USER-9').then(() => seeRow('user-99999'))],
    ['customers: search without a match', () => search.fill('x').then(() => page.getByText('No customer').waitFor())],
    ['requests: first page', () => open('requests').then(rows)],
    ['requests: next page', next],
    ['requests: of 7 days', () => open('requests?range=7d').then(rows)],
    ['requests: 50 failed ones of 30 days', () => open('requests?range=30d&status=failed').then(failed)],
    ['requests: of one customer', () => open(`requests?range=30d&customer=${customer?.id}`).then(rows)],
  ];
}

/** Waits until every past day is summed, as in an installation that has been running. */
async function waitForSums(system: System): Promise<void> {
  const summed = async () => {
    const [sums] = await system.query<{ days: number; marks: number }>(
      `SELECT (SELECT count(*)::int FROM edge_gateway.request_rollups WHERE span = 'day') AS days,
              (SELECT count(*)::int FROM edge_gateway.request_rollup_marks m
                 JOIN edge_gateway.request_rollups u ON u.span = 'hour' AND u.start = m.hour) AS marks`,
    );
    return sums?.days === DAYS - 1 && sums.marks === 0;
  };
  await waitUntil(summed, { timeoutMs: SUMS_MS, what: 'the sums of all days' });
  await system.query('VACUUM ANALYZE edge_gateway.request_customer_days');
}

/** Reports of 30 days without a browser, by each group. */
function reportSteps({ id, owner }: TestProject): Step[] {
  const from = new Date(Date.now() - (DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  const get = (query: string) => owner.get(`/projects/${id}/usage?from=${from}&${query}`).then((got) => must(got, 200));
  return [
    ['report of 30 days: by day', () => get('interval=day')],
    ...['model', 'customer', 'key', 'tier', 'status'].map(
      (group) => [`report of 30 days: by ${group}`, () => get(`interval=total&group_by=${group}`)] as const,
    ),
    ['report of 30 days: by day and customer', () => get('interval=day&group_by=customer')],
    ['report of 30 days: one status by model', () => get('interval=day&status=failed&group_by=model')],
  ];
}

function usageSteps(system: System, { page }: ConsolePage, projectId: string): Step[] {
  const open = (range: string) => page.goto(`${system.stack.httpUrl}/console/p/${projectId}/usage?range=${range}`);
  const seeModel = () => page.getByRole('row').filter({ hasText: SANDBOX_MODEL }).first().waitFor();
  return ['7d', '30d'].map((range) => [`usage: ${range}`, () => open(range).then(seeModel)] as const);
}

function judgePlan({ statement, error, scans }: RecordedPlan): string[] {
  const found = error === undefined ? scans : [error];
  return found.length === 0 ? [] : [`${found.join(', ')}: ${statement.slice(0, 300)}`];
}
