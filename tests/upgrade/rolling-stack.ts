// Two processes of each service on one database, each in either version, replaced one at a time as in a rolling update.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { SERVICE_NAMES, type ServiceName, type Stack, type StackOptions } from '@tollgate/local';
import { checkHealth, GrpcNetwork } from '@tollgate/rpc';
import { freePort } from '@tollgate/runtime/free-port';
import { waitUntil } from '@tollgate/testkit';
import { startLoadBalancer } from './load-balancer.js';
import { mainFile, type Version } from './previous-version.js';

const REPLICAS = 2;
const START_MS = 120_000;
/** Longer than the pause between two attempts of a gRPC channel (2 s and a random part). */
const RECONNECT_MS = 5_000;
/** Longer than a drain (25 s). */
const STOP_MS = 60_000;

interface Replica {
  name: ServiceName;
  key: string;
  port: number;
  healthPort: number;
  httpPort: number;
  version: Version;
  child?: ChildProcess;
}

export interface RollingStack extends Stack {
  /** Applies the migrations of a version to every service's schema, as the chart does before it replaces a pod. */
  migrate(version: Version): Promise<void>;
  /** Replaces the replicas of one service one after the other. `between` runs while both versions serve. */
  roll(name: ServiceName, version: Version, between: () => Promise<void>): Promise<void>;
}

/** Starts every service in the given version, behind a load balancer for HTTP. */
export async function startRollingStack(options: StackOptions, version: Version): Promise<RollingStack> {
  mkdirSync(options.logDir, { recursive: true });
  const replicas = await planReplicas(version);
  const env: NodeJS.ProcessEnv = {
    ...options.env,
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [toAddressVariable(name), toAddress(replicas, name)])),
    HTTP_HOST: '127.0.0.1',
    GRPC_HOST: '127.0.0.1',
    HEALTH_HOST: '127.0.0.1',
  };
  const balancer = await startLoadBalancer(options.httpPort);
  const network = new GrpcNetwork({ addresses: { [BillingService.typeName]: env.BILLING_LEDGER_ADDR ?? '' } });
  const start = (replica: Replica): Promise<void> => startReplica(replica, env, options.logDir, balancer.add);
  const end = async (replica: Replica): Promise<void> => {
    if (replica.name === 'edge-gateway') await balancer.remove(replica.httpPort);
    await endProcess(replica);
  };
  const stop = async (): Promise<void> => {
    await network.close();
    await balancer.stop();
    await Promise.all(replicas.map(endProcess));
  };
  try {
    // Callees first, and only one of each migrates at a time.
    for (const name of SERVICE_NAMES) await Promise.all(replicas.filter((it) => it.name === name).map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    httpUrl: balancer.url,
    services: Object.fromEntries(
      replicas.map(({ key, port, healthPort, httpPort, child }) => [
        key,
        {
          grpc: `127.0.0.1:${port}`,
          http: `http://127.0.0.1:${httpPort}`,
          health: `http://127.0.0.1:${healthPort}`,
          pid: child?.pid ?? 0,
        },
      ]),
    ),
    billing: network.client(BillingService),
    migrate: async (to) => {
      for (const name of SERVICE_NAMES) await runToEnd([mainFile(to, name), 'migrate'], env, options.logDir);
    },
    roll: async (name, to, between) => {
      const all = replicas.filter((replica) => replica.name === name);
      for (const [index, replica] of all.entries()) {
        await end(replica);
        replica.version = to;
        await start(replica);
        if (index === all.length - 1) continue;
        // The replica keeps its address, which callers retry after a pause. They try a new pod at once.
        await sleep(RECONNECT_MS);
        await between();
      }
    },
    stop,
  };
}

async function planReplicas(version: Version): Promise<Replica[]> {
  const names = SERVICE_NAMES.flatMap((name) => Array.from({ length: REPLICAS }, (_, i) => ({ name, i })));
  return Promise.all(
    names.map(async ({ name, i }) => ({
      name,
      key: i === 0 ? name : `${name}-${i + 1}`,
      port: await freePort(),
      healthPort: await freePort(),
      httpPort: await freePort(),
      version,
    })),
  );
}

function toAddress(replicas: readonly Replica[], name: ServiceName): string {
  const hosts = replicas.filter((replica) => replica.name === name).map(({ port }) => `127.0.0.1:${port}`);
  return `ipv4:${hosts.join(',')}`;
}

/** Used for both versions, so it does not depend on `@tollgate/service`. */
function toAddressVariable(name: ServiceName): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_ADDR`;
}

async function startReplica(
  replica: Replica,
  env: NodeJS.ProcessEnv,
  logDir: string,
  addEdge: (httpPort: number) => void,
): Promise<void> {
  const { name, key, port, healthPort, httpPort, version } = replica;
  const ports = { GRPC_PORT: String(port), HEALTH_PORT: String(healthPort), HTTP_PORT: String(httpPort) };
  const launch = (): ChildProcess => spawnNode([mainFile(version, name)], { ...env, ...ports }, logDir, key);
  replica.child = launch();
  const isEdge = name === 'edge-gateway';
  await waitUntil(
    async () => {
      // While the port was free, an outgoing connection of any process may have taken it for a moment.
      if (replica.child?.exitCode !== null) replica.child = launch();
      if (!(await checkHealth(`127.0.0.1:${port}`, 1_000).catch(() => false))) return false;
      return !isEdge || (await fetch(`http://127.0.0.1:${httpPort}/readyz`).catch(() => undefined))?.ok;
    },
    { what: `${key} of the ${version.name} version to serve; see ${logDir}`, timeoutMs: START_MS },
  );
  if (isEdge) addEdge(httpPort);
}

async function endProcess({ child, key }: Replica): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
  if (child.signalCode === 'SIGKILL') throw new Error(`${key} did not end within ${STOP_MS} ms of SIGTERM`);
}

async function runToEnd(args: string[], env: NodeJS.ProcessEnv, logDir: string): Promise<void> {
  const child = spawnNode(args, env, logDir, 'migrate');
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}; see ${logDir}/migrate.log`);
}

function spawnNode(args: string[], env: NodeJS.ProcessEnv, logDir: string, key: string): ChildProcess {
  const log = openSync(join(logDir, `${key}.log`), 'a');
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}
