// Two engine processes on one database, and the faults that a test can cause in them.

import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@tollgate/runtime/free-port';
import { waitUntil } from '@tollgate/testkit';
import type { System } from '../system/start-system.js';
import type { Random } from './random.js';

const ENGINE = fileURLToPath(new URL('../../services/workflow-engine/dist/main.js', import.meta.url));

export interface Engine {
  name: string;
  pid(): number;
  /** `kill -9`; a replacement is started. */
  kill(): Promise<void>;
}

export interface Engines {
  all: Engine[];
  stop(): Promise<void>;
}

/** The system's own engine, which the edge calls, and a second engine that only takes work from the queue. */
export async function startEngines(system: System): Promise<Engines> {
  const env = { ...system.env, ...readAddresses(system), GRPC_HOST: '127.0.0.1', GRPC_PORT: String(await freePort()) };
  const launch = (): ChildProcess => spawn(process.execPath, [ENGINE], { env, stdio: 'ignore' });
  let child = launch();
  const first: Engine = {
    name: 'first',
    pid: () => system.findPid('workflow-engine'),
    kill: () => system.kill('workflow-engine'),
  };
  const second: Engine = {
    name: 'second',
    pid: () => child.pid ?? 0,
    kill: async () => {
      await end(child, 'SIGKILL');
      child = launch();
    },
  };
  return { all: [first, second], stop: () => end(child, 'SIGKILL') };
}

/** Each resolves once the fault has happened; a temporary fault is over by then. */
export const FAULTS = {
  'kill -9': (engine: Engine) => engine.kill(),
  /** Other engines take over its work without its knowledge. */
  'stopped beyond its lease': async (engine: Engine, _system: System, leaseMs: number) => {
    const pid = engine.pid();
    process.kill(pid, 'SIGSTOP');
    try {
      await sleep(leaseMs * 1.5);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  },
  'every connection cut': (_engine: Engine, system: System) => cut(system, 'workflow_engine%'),
  'listeners cut': (_engine: Engine, system: System) => cut(system, 'workflow_engine wake-ups'),
} as const;

export type FaultName = keyof typeof FAULTS;

/** Every fault at least once, in an order that the seed decides. */
export function planStorm(random: Random, length: number): FaultName[] {
  const names = Object.keys(FAULTS) as FaultName[];
  const plan = Array.from({ length }, (_, index) => names[index] ?? random.pick(names));
  for (let at = plan.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [plan[at], plan[other]] = [plan[other] as FaultName, plan[at] as FaultName];
  }
  return plan;
}

/** Waits until both engines are ready for a fault. */
export function awaitConnected(system: System): Promise<unknown> {
  return waitUntil(async () => (await listeners(system)) >= 2, { what: 'both engines to listen' });
}

async function listeners(system: System): Promise<number> {
  const [row] = await system.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'workflow_engine wake-ups'`,
  );
  return row?.count ?? 0;
}

async function cut(system: System, applicationName: string): Promise<void> {
  await system.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE $1`,
    [applicationName],
  );
}

function readAddresses({ stack }: System): NodeJS.ProcessEnv {
  const at = (name: string) => stack.services[name]?.grpc;
  return {
    BILLING_LEDGER_ADDR: at('billing-ledger'),
    GATEWAY_INFERENCE_ADDR: at('gateway-inference'),
    AGENT_REGISTRY_ADDR: at('agent-registry'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
