import type { ChildProcess } from 'node:child_process';
import { elapsed } from '@tollgate/runtime';
import { freePort } from '@tollgate/runtime/free-port';
import type { ServiceName } from './stack.js';

const RESTART_FIRST_MS = 50;
const RESTART_MAX_MS = 5_000;
/** A service that ran for this long restarts after the shortest pause. */
const STEADY_MS = 10_000;
const STOP_TIMEOUT_MS = 30_000;

/** A replica of a service, with its ports. */
export interface Slot {
  /** The service's name; further replicas as `<name>-2` … */
  key: string;
  name: ServiceName;
  port: number;
  /** Replaced when another program has taken it before a restart. */
  healthPort: number;
  /** Only of an edge. */
  httpPort: number | undefined;
}

/** The processes of the slots. */
export interface Processes {
  /** The current or last process of each slot, in the order of the slots. */
  children(): [Slot, ChildProcess][];
  /** How often the process of a slot has ended or could not be started. */
  ends(slot: Slot): number;
  /** Ends the processes in the reverse order of the slots: an edge finishes its requests while the other services still answer. */
  stop(): Promise<void>;
}

export interface ProcessesOptions {
  spawn(slot: Slot): ChildProcess;
  log(line: string): void;
  onRestarted(): void;
}

/** Starts a process per slot. Restarts a process that ends, after growing pauses. */
export function startProcesses(slots: readonly Slot[], { spawn, log, onRestarted }: ProcessesOptions): Processes {
  const children = new Map<Slot, ChildProcess>();
  const ends = new Map<Slot, number>();
  let isStopping = false;

  function launch(slot: Slot, pauseMs: number): void {
    const startedAt = elapsed();
    const child = spawn(slot);
    children.set(slot, child);
    child.on('exit', (code, signal) => {
      if (isStopping) return;
      const isSteady = elapsed() - startedAt > STEADY_MS;
      const nextMs = isSteady ? RESTART_FIRST_MS : Math.min(pauseMs * 2, RESTART_MAX_MS);
      log(`${slot.key} ended (${signal ?? code}); starting it again in ${nextMs} ms`);
      relaunchLater(slot, nextMs);
    });
  }

  function relaunchLater(slot: Slot, pauseMs: number): void {
    ends.set(slot, (ends.get(slot) ?? 0) + 1);
    setTimeout(() => void relaunch(slot, pauseMs), pauseMs);
  }

  async function relaunch(slot: Slot, pauseMs: number): Promise<void> {
    const takenPort = await findTakenPort(slot);
    if (takenPort === undefined) await replaceTakenHealthPort(slot, log);
    if (isStopping) return;
    if (takenPort === undefined) {
      launch(slot, pauseMs);
      onRestarted();
      return;
    }
    const nextMs = Math.min(pauseMs * 2, RESTART_MAX_MS);
    log(`${slot.key} cannot start: another program uses its port ${takenPort}; trying again in ${nextMs} ms`);
    relaunchLater(slot, nextMs);
  }

  for (const slot of slots) launch(slot, RESTART_FIRST_MS);
  return {
    children: () => [...children],
    ends: (slot) => ends.get(slot) ?? 0,
    async stop() {
      isStopping = true;
      for (const slot of [...slots].reverse()) await endChild(children.get(slot));
    },
  };
}

/** Returns a port that other programs know the slot by, and that is not free. */
async function findTakenPort({ port, httpPort }: Slot): Promise<number | undefined> {
  if ((await freePort(port)) !== port) return port;
  return httpPort === undefined || (await freePort(httpPort)) === httpPort ? undefined : httpPort;
}

async function replaceTakenHealthPort(slot: Slot, log: ProcessesOptions['log']): Promise<void> {
  const healthPort = await freePort(slot.healthPort);
  if (healthPort === slot.healthPort) return;
  log(`${slot.key}: another program uses its health port ${slot.healthPort}; using ${healthPort}`);
  slot.healthPort = healthPort;
}

async function endChild(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
