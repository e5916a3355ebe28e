// The servers that `cpu-ratios.ts` compares.
import { type Comparison, type Contender, SHAPES } from './cpu-ratios.js';
import { BENCH_MODEL, chatTarget, startGateway } from './gateway.js';
import { BIFROST_MODEL, startBifrost } from './peers/bifrost.js';
import { LITELLM_KEY, startLitellm } from './peers/litellm.js';
import { startPortkey } from './peers/portkey.js';
import type { Peer } from './peers/program.js';
import { onDurableDatabase, postmasterPid, startFloor } from './servers.js';

/** The gateway beside the floor, and beside Portkey if it is asked for; every kind of request. */
export function usualComparison(withPortkey: boolean): Comparison {
  const starts = [startBareProxy, ...(withPortkey ? [startPortkeyPeer] : []), startOneProcess, startSeparateProcesses];
  return { starts, shapes: SHAPES, isOptional: false };
}

/** The gateway beside everything that can be installed here. */
export const peerComparison: Comparison = {
  starts: [
    startBareProxy,
    startPortkeyPeer,
    startLitellmPeer,
    startBifrostPeer,
    startOneProcess,
    startSeparateProcesses,
  ],
  shapes: ['chat completion'],
  isOptional: true,
};

/** It makes the same call for every kind of request. */
async function startBareProxy(upstream: string): Promise<Contender> {
  const floor = await startFloor(upstream);
  return toContender('bare proxy (floor)', floor, (shape) => [
    chatTarget(floor.port, {}, shape === 'streamed chat completion'),
  ]);
}

async function startPortkeyPeer(upstream: string): Promise<Contender> {
  const portkey = await startPortkey();
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstream, authorization: 'Bearer load' };
  return toContender('Portkey (bills nothing)', portkey, (shape) =>
    shape === '/responses' ? undefined : [chatTarget(portkey.port, headers, shape === 'streamed chat completion')],
  );
}

/** With a PostgreSQL of its own, whose CPU time counts. */
async function startLitellmPeer(upstream: string): Promise<Contender> {
  const database = await openDatabase();
  try {
    const litellm = await startLitellm(upstream, database.url);
    const headers = { authorization: `Bearer ${LITELLM_KEY}` };
    const name = litellm.storesCosts ? 'LiteLLM (stores costs)' : 'LiteLLM (computes costs, stores none)';
    const contender = toContender(name, litellm, (shape) =>
      shape === '/responses' ? undefined : [chatTarget(litellm.port, headers, shape === 'streamed chat completion')],
    );
    return {
      ...contender,
      pids: [litellm.pid, ...(litellm.storesCosts ? [await postmasterPid(database.url)] : [])],
      stop: async () => {
        await litellm.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  let running: Promise<void> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    running = onDurableDatabase((opened) => {
      resolve(opened);
      return closed;
    });
    running.catch(reject);
  });
  return {
    url,
    close: async () => {
      close();
      await running;
    },
  };
}

async function startBifrostPeer(upstream: string): Promise<Contender> {
  const bifrost = await startBifrost(upstream);
  return toContender('Bifrost (logs costs)', bifrost, (shape) => {
    if (shape === '/responses') return undefined;
    const target = chatTarget(bifrost.port, {}, shape === 'streamed chat completion');
    return [{ ...target, body: String(target.body).replace(BENCH_MODEL, BIFROST_MODEL) }];
  });
}

function toContender(name: string, { pid, stop }: Peer, targets: Contender['targets']): Contender {
  return { name, pids: [pid], targets, stop };
}

function startOneProcess(upstream: string): Promise<Contender> {
  return startGatewayContender(upstream, false);
}

function startSeparateProcesses(upstream: string): Promise<Contender> {
  return startGatewayContender(upstream, true);
}

async function startGatewayContender(upstream: string, isSeparate: boolean): Promise<Contender> {
  const gateway = await startGateway(upstream, isSeparate);
  return {
    name: isSeparate ? 'Tollgate, separate processes' : 'Tollgate, one process',
    pids: Object.values(gateway.pids),
    targets: (shape) =>
      shape === '/responses' ? gateway.responsesTargets() : gateway.targets(shape === 'streamed chat completion'),
    stop: gateway.stop,
  };
}
