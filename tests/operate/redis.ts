import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@tollgate/runtime/free-port';
import { waitUntil } from '@tollgate/testkit';

export interface Redis {
  url: string;
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Stops the process without ending it: connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
}

/** Starts a Redis server. @throws Error when the program is missing */
export async function startRedis(): Promise<Redis> {
  const port = await freePort();
  const start = async () => {
    const child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      {
        stdio: 'ignore',
      },
    );
    const failed = once(child, 'error').then(([error]) => Promise.reject(error));
    await Promise.race([failed, waitUntil(() => isListening(port), { what: 'Redis' })]);
    return child;
  };
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
    start: async () => {
      child = await start();
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}
