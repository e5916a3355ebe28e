// A client process stalls while its server recycles connections.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { GrpcNetwork, startCall } from '../index.js';

const CONNECTION_AGE_MS = 500;
const STALL_MS = 5_000;
const WORKERS = 20;

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = once(child, 'exit');
    if (child.kill()) await ended;
  }
});

async function message<T>(child: ChildProcess): Promise<T> {
  const [value] = await once(child, 'message');
  return value as T;
}

it('fails no call and executes each once when its client stalls while connections are recycled', async () => {
  const child = fork(new URL('../testing/counting-server.ts', import.meta.url), {
    execArgv: ['--import', 'tsx', '--conditions=source'],
    env: { ...process.env, CONNECTION_AGE_MS: String(CONNECTION_AGE_MS), DELAY_MS: '20' },
  });
  children.push(child);
  const address = await message<string>(child);
  const network = new GrpcNetwork({ addresses: { [BillingService.typeName]: address } });
  const billing = network.client(BillingService);
  let sent = 0;
  let isOver = false;
  const work = async (): Promise<void> => {
    while (!isOver) await billing.admit({ holdId: String(sent++) }, startCall({ timeoutMs: 30_000 }));
  };
  const workers = Array.from({ length: WORKERS }, work);
  await new Promise((resolve) => setTimeout(resolve, 2 * CONNECTION_AGE_MS));
  const stalledUntil = performance.now() + STALL_MS;
  while (performance.now() < stalledUntil);
  await new Promise((resolve) => setTimeout(resolve, 4 * CONNECTION_AGE_MS));
  isOver = true;
  await Promise.all(workers);
  child.send('report');
  const executions = await message<[string, number][]>(child);
  expect(executions).toHaveLength(sent);
  expect(executions.filter(([, times]) => times !== 1)).toEqual([]);
  await network.close();
});
