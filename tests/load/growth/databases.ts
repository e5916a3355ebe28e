// `npm run bench -- --databases`: CPU per request of three edges, two inference services and two ledgers against one database
// and against two, beside one process of each service; in turns, since only neighboring turns compare.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startEmbeddedPostgres } from '@tollgate/postgres';
import { startCall } from '@tollgate/rpc';
import { type System, startSystem, UPSTREAM_MODEL } from '../../system/start-system.js';
import { httpLoad, type LoadTarget, percentile } from '../http-load.js';
import { processUsage } from '../process-usage.js';
import { postmasterPid, startUpstream } from '../servers.js';
import { table } from '../table.js';

const CONNECTIONS = 48;
const TURN_MS = 4_000;
/** So many that both databases get their share of the owners. */
const OWNERS = 24;
const REPLICAS = { 'edge-gateway': 3, 'gateway-inference': 2, 'billing-ledger': 2 } as const;

/** Groups of processes; each is a column of the table. */
const GROUPS = ['edge-gateway', 'gateway-inference', 'billing-ledger', 'other services', 'PostgreSQL'] as const;
type Group = (typeof GROUPS)[number];

interface Contender {
  name: string;
  pids: Record<Group, number[]>;
  targets: LoadTarget[];
  /** Owner accounts by database. */
  owners: string;
  /** Differences between balances and journal, of all owners. */
  verify(): Promise<number>;
  stop(): Promise<void>;
}

interface Turn {
  perSecond: number;
  errors: number;
  p50Ms: number;
  cpuMs: Record<Group, number>;
}

interface Variant {
  name: string;
  replicas: Partial<typeof REPLICAS>;
  databases: 1 | 2;
}

const VARIANTS: readonly Variant[] = [
  { name: '1 edge, 1 inference, 1 ledger; one database', replicas: {}, databases: 1 },
  { name: '3 edges, 2 inference, 2 ledgers; one database', replicas: REPLICAS, databases: 1 },
  { name: '3 edges, 2 inference, 2 ledgers; two databases', replicas: REPLICAS, databases: 2 },
];

export async function databaseTable(rounds: number, say: (line: string) => void): Promise<string> {
  // The services run as in production, without the loaders of this process.
  process.execArgv.splice(0);
  const upstream = await startUpstream(['--instant']);
  const contenders: Contender[] = [];
  try {
    for (const variant of VARIANTS) {
      contenders.push(await startVariant(variant, upstream.baseUrl));
      say(`started: ${variant.name} (${contenders.at(-1)?.owners})`);
    }
    const turns = new Map(contenders.map((contender) => [contender, [] as Turn[]]));
    for (const contender of contenders) await takeTurn(contender); // warms up
    for (let round = 0; round < rounds; round++) {
      const first = round % contenders.length;
      for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
        const turn = await takeTurn(contender);
        turns.get(contender)?.push(turn);
        say(`round ${round + 1} of ${rounds}, ${contender.name}: ${sum(turn.cpuMs).toFixed(3)} ms`);
      }
    }
    const lines: string[] = [];
    for (const [contender, own] of turns) lines.push(await toLine(contender, own));
    const head = `what | owners by database | requests/s | p50 | CPU ms per request | of it: ${GROUPS.join(' / ')} | requests/s per core | errors / ledger differences`;
    return `${table(head, lines)}\nMedians of ${rounds} turns, ${CONNECTIONS} connections, chat completion.\n`;
  } finally {
    for (const { stop } of contenders) await stop();
    upstream.stop();
  }
}

async function toLine(contender: Contender, turns: readonly Turn[]): Promise<string> {
  const median = (value: (turn: Turn) => number): number => percentile(turns.map(value), 0.5);
  const cpuMs = median((turn) => sum(turn.cpuMs));
  return [
    contender.name,
    contender.owners,
    Math.round(median(({ perSecond }) => perSecond)),
    `${median(({ p50Ms }) => p50Ms).toFixed(1)} ms`,
    cpuMs.toFixed(3),
    GROUPS.map((group) => median((turn) => turn.cpuMs[group]).toFixed(3)).join(' / '),
    Math.round(1_000 / cpuMs),
    `${turns.reduce((all, { errors }) => all + errors, 0)} / ${await contender.verify()}`,
  ].join(' | ');
}

/** Starts PostgreSQL servers with durable commits, the services on them, and owners with a customer each. */
async function startVariant({ name, replicas, databases }: Variant, upstream: string): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  chmodSync(folder, 0o755); // the server may run as another account
  const servers: Awaited<ReturnType<typeof startEmbeddedPostgres>>[] = [];
  const stopServers = async () => {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (let i = 0; i < databases; i++) {
      const dataDir = join(folder, `postgres-${i}`);
      servers.push(await startEmbeddedPostgres({ dataDir, durable: true, maxConnections: 400 }));
    }
    const [main, second] = servers.map(({ url }) => url);
    const system = await startSystem({
      mode: 'separate processes',
      database: { url: main ?? '', drop: async () => undefined },
      replicas,
      env: {
        ...{ NODE_ENV: 'production', LOG_LEVEL: 'warn', OPENAI_BASE_URL: upstream },
        RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000000',
        ...(second && { LEDGER_DATABASES: `second=${second}`, LEDGER_NEW_OWNERS: 'main,second' }),
      },
    });
    const tokens = await openOwners(system);
    return {
      name,
      pids: await groupPids(
        system,
        servers.map(({ url }) => url),
      ),
      targets: toTargets(
        system,
        tokens.map(({ token }) => token),
      ),
      owners: await countOwners(system),
      verify: async () => {
        const verdicts = await Promise.all(tokens.map(({ verify }) => verify()));
        return verdicts.reduce((all, { differences }) => all + differences.length, 0);
      },
      stop: async () => {
        await system.stop();
        await stopServers();
      },
    };
  } catch (error) {
    await stopServers();
    throw error;
  }
}

async function openOwners(system: System) {
  const opened: { token: string; verify: Awaited<ReturnType<System['project']>>['verify'] }[] = [];
  for (let i = 0; i < OWNERS; i++) {
    const project = await system.project({ fundsCents: 0 });
    const sql = 'SELECT account_id FROM edge_gateway.projects WHERE id = $1';
    const [row] = await system.query<{ account_id: string }>(sql, [project.id]);
    const accountId = row?.account_id ?? '';
    const principal = create(PrincipalSchema, { kind: PrincipalKind.SYSTEM, projectId: project.id, accountId });
    await system.stack.billing.grantCredit(
      {
        target: { case: 'account', value: true },
        amountMicrocents: 10n ** 14n,
        reason: 'top_up',
        cause: randomUUID(),
      },
      startCall({ principal, timeoutMs: 60_000 }),
    );
    const tier = { rate_limit_per_minute: 1_000_000 };
    const { token } = await project.customerOn('free', { spendLimitCents: null, tier });
    opened.push({ token, verify: project.verify });
  }
  return opened;
}

/** Returns the owner accounts by the database that they were assigned to. */
async function countOwners(system: System): Promise<string> {
  const sql = 'SELECT database, count(*)::int AS count FROM billing_ledger.owner_databases GROUP BY 1 ORDER BY 1';
  const rows = await system.query<{ database: string; count: number }>(sql);
  return rows.map(({ database, count }) => `${database} ${count}`).join(', ');
}

function toTargets(system: System, tokens: readonly string[]): LoadTarget[] {
  const edges = Object.values(system.stack.services).flatMap(({ http }) => http ?? []);
  const body = JSON.stringify({
    model: UPSTREAM_MODEL,
    max_tokens: 64,
    messages: [{ role: 'user', content: 'Why is the sky blue?' }],
  });
  return tokens.map((token, i) => {
    const { hostname, port } = new URL(edges[i % edges.length] ?? '');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return { host: hostname, port: Number(port), path: '/v1/chat/completions', headers, body };
  });
}

async function groupPids(system: System, urls: readonly string[]): Promise<Contender['pids']> {
  const pids = Object.fromEntries(GROUPS.map((group) => [group, [] as number[]])) as Contender['pids'];
  for (const [key, { pid }] of Object.entries(system.stack.services)) {
    const name = key.replace(/-\d+$/, '');
    pids[GROUPS.find((group) => group === name) ?? 'other services'].push(pid);
  }
  pids.PostgreSQL = await Promise.all(urls.map(postmasterPid));
  return pids;
}

async function takeTurn({ pids, targets }: Contender): Promise<Turn> {
  const before = readCpu(pids);
  const load = { connections: CONNECTIONS, durationMs: TURN_MS, warmUpMs: 0 };
  const { requests, perSecond, errors, p50Ms } = await httpLoad(targets, load);
  const after = readCpu(pids);
  const used = GROUPS.map((group) => [group, (after[group] - before[group]) / Math.max(1, requests)]);
  return { perSecond, errors, p50Ms, cpuMs: Object.fromEntries(used) as Turn['cpuMs'] };
}

function readCpu(pids: Contender['pids']): Record<Group, number> {
  const used = GROUPS.map((group) => [group, pids[group].reduce((all, pid) => all + processUsage(pid).cpuMs, 0)]);
  return Object.fromEntries(used) as Record<Group, number>;
}

function sum(values: Record<Group, number>): number {
  return GROUPS.reduce((all, group) => all + values[group], 0);
}
