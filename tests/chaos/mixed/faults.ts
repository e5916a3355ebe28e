// Faults of every kind, one after the other in an order that a seed decides.
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_NAMES, type ServiceName } from '@tollgate/local';
import { waitUntil } from '@tollgate/testkit';
import type { System } from '../../system/start-system.js';
import type { Random } from '../random.js';
import { STEP_SEEN_MS, stepClock } from '../stored-clock.js';

/** Up to longer than a hold lives without progress (8 s) and a lease (3 s). */
const PAUSE_MS_MAX = 11_000;
/** Seconds by which a clock is wrong. */
const CLOCK_STEPS = [60, -60, 3_600, -3_600] as const;
/** A process lives this long with each of them. */
const CLOCK_MS = STEP_SEEN_MS + 2_000;
const RESTART_MS = 120_000;
/** Between two faults. */
const CALM_MS_MAX = 3_000;

export interface FaultTargets {
  system: System;
  /** Keys of the processes: a service's name, or `NAME-2` for its second replica. */
  processes: readonly string[];
  /** The file with the step of a process's clock; undefined without libfaketime. */
  clockFile: ((process: string) => string) | undefined;
}

type Fault = (targets: FaultTargets, random: Random) => Promise<string>;

/** Each resolves with what happened once it is over. */
const FAULTS: Readonly<Record<string, Fault>> = {
  kill: async ({ system }, random) => {
    const name = random.pick(SERVICE_NAMES);
    await system.kill(name);
    return `killed ${name}`;
  },
  pause: async ({ system, processes }, random) => {
    const key = random.pick(processes);
    const pid = system.findPid(key);
    const pauseMs = random.below(PAUSE_MS_MAX);
    process.kill(pid, 'SIGSTOP');
    try {
      await sleep(pauseMs);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    return `paused ${key} for ${pauseMs} ms`;
  },
  cut: async ({ system }, random) => {
    const name: ServiceName = random.pick(SERVICE_NAMES);
    await system.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND starts_with(application_name, $1)`,
      [name.replaceAll('-', '_')],
    );
    return `ended the sessions of ${name} at PostgreSQL`;
  },
  restart: async ({ system }, random) => {
    const signal = random.pick(['SIGINT', 'SIGKILL'] as const);
    await restartServer(system, signal);
    return `restarted PostgreSQL with ${signal}`;
  },
  clock: async ({ processes, clockFile }, random) => {
    if (!clockFile) return 'no clock was stepped: LIBFAKETIME is not set';
    const key = random.pick(processes);
    const seconds = random.pick(CLOCK_STEPS);
    stepClock(clockFile(key), seconds);
    await sleep(CLOCK_MS);
    stepClock(clockFile(key), 0);
    return `stepped the clock of ${key} by ${seconds} s`;
  },
};

export interface Storm {
  /** What happened so far. */
  events: readonly string[];
  /** Ends when the present fault is over. Throws if a fault could not be caused. */
  stop(): Promise<void>;
}

/** Causes faults until it is stopped: every kind in each of its rounds. */
export function startStorm(targets: FaultTargets, random: Random): Storm {
  const events: string[] = [];
  let isStopping = false;
  const work = async (): Promise<void> => {
    for (let waiting = Object.keys(FAULTS); !isStopping; ) {
      if (waiting.length === 0) waiting = Object.keys(FAULTS);
      const [name] = waiting.splice(random.below(waiting.length), 1);
      events.push(await FAULTS[name!]!(targets, random));
      await sleep(random.below(CALM_MS_MAX));
    }
  };
  const working = work();
  working.catch(() => undefined); // Reported when it is stopped.
  return {
    events,
    stop: () => {
      isStopping = true;
      return working;
    },
  };
}

/** SIGINT is a fast shutdown, as in an upgrade; SIGKILL a crash with recovery. */
export async function restartServer(system: System, signal: NodeJS.Signals): Promise<void> {
  const read = async () => {
    const [row] = await system.query<{ pid: number; since: string }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int AS pid, pg_postmaster_start_time()::text AS since`,
    );
    return row;
  };
  const before = await waitUntil(read, { what: 'PostgreSQL' });
  process.kill(before.pid, signal);
  const hasRestarted = async () => (await read())?.since !== before.since;
  await waitUntil(hasRestarted, { what: 'the restart of PostgreSQL', timeoutMs: RESTART_MS });
}
