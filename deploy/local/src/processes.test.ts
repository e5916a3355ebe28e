import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@tollgate/runtime/free-port';
import { waitUntil } from '@tollgate/testkit';
import { type Processes, type Slot, startProcesses } from './processes.js';

/** Uses a port that the slot would take. */
let otherProgram: Server;
let takenPort: number;
let processes: Processes;
let lines: string[];

beforeEach(async () => {
  lines = [];
  otherProgram = createServer();
  otherProgram.listen(0, '127.0.0.1');
  await once(otherProgram, 'listening');
  takenPort = (otherProgram.address() as AddressInfo).port;
});
afterEach(async () => {
  await processes.stop();
  otherProgram.close();
});

/** Starts a slot whose first process fails. Records the slots that were started. */
async function start(ports: Partial<Slot>) {
  const started: Slot[] = [];
  const slot: Slot = {
    key: 'edge-gateway',
    name: 'edge-gateway',
    port: await freePort(),
    healthPort: await freePort(),
    httpPort: await freePort(),
    ...ports,
  };
  processes = startProcesses([slot], {
    spawn(given): ChildProcess {
      started.push({ ...given });
      const script = started.length === 1 ? 'process.exit(1)' : 'setInterval(() => {}, 1_000)';
      return spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    },
    log: (line) => void lines.push(line),
    onRestarted: () => undefined,
  });
  return { slot, started };
}

describe('a process that ends', () => {
  it('starts again with another health port when another program has taken its own', async () => {
    const { slot, started } = await start({ healthPort: takenPort });
    await waitUntil(() => started.length === 2, { what: 'the restart' });
    expect(started[1]).toEqual({ ...started[0], healthPort: slot.healthPort });
    expect(slot.healthPort).not.toBe(takenPort);
    const moved = `edge-gateway: another program uses its health port ${takenPort}; using ${slot.healthPort}`;
    expect(lines).toContain(moved);
  });

  it.each(['port', 'httpPort'])(
    'starts again only when no other program uses its %s, and logs the reason',
    async (name) => {
      const { slot, started } = await start({ [name]: takenPort });
      await waitUntil(() => processes.ends(slot) === 2, { what: 'a restart that was put off' });
      expect(started).toHaveLength(1);
      expect(lines.at(-1)).toMatch(
        `edge-gateway cannot start: another program uses its port ${takenPort}; trying again`,
      );
      otherProgram.close();
      await waitUntil(() => started.length === 2, { what: 'the restart' });
      expect(started[1]).toEqual(started[0]);
    },
  );
});
