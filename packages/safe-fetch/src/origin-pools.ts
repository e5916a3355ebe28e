import { isIPv6, type LookupFunction, type Socket } from 'node:net';
import { elapsed } from '@tollgate/runtime';
import { buildConnector, Pool } from 'undici';
import { isAllowedAddress, isSameAddress } from './address.js';
import { FailureError, failure, type SafeFetchFailure } from './outcome.js';
import type { Target } from './target.js';

/** Bounds of the connections that are kept. */
export interface PoolLimits {
  connectionsPerOrigin: number;
  /** Origin and address pairs with connections; the longest unused is dropped. */
  originsMax: number;
  /** A connection is closed after this long without a request. */
  idleTimeoutMs: number;
  connectTimeoutMs: number;
  responseHeaderBytesMax: number;
}

/** Connections, kept per origin **and** checked address, so that none is ever used for another address. */
export interface OriginPools {
  acquire(target: Target, address: string, allowPrivate: boolean): Pool;
  readonly size: number;
  close(): Promise<void>;
}

export function createOriginPools(limits: PoolLimits): OriginPools {
  // In order of last use: the first is the longest unused.
  const pools = new Map<string, { pool: Pool; lastUsedMs: number }>();

  function drop(key: string): void {
    const entry = pools.get(key);
    pools.delete(key);
    // Lets running requests finish; they have deadlines of their own.
    entry?.pool.close().catch(() => {});
  }

  function dropUnused(now: number): void {
    for (const [key, { pool, lastUsedMs }] of pools) {
      const isIdle = now - lastUsedMs > limits.idleTimeoutMs * 2 && pool.stats.size === 0;
      if (pools.size <= limits.originsMax && !isIdle) return;
      drop(key);
    }
  }

  return {
    acquire(target, address, allowPrivate) {
      const key = `${target.origin} ${address} ${allowPrivate}`;
      const now = elapsed();
      const pool = pools.get(key)?.pool ?? createPool(target, address, allowPrivate, limits);
      pools.delete(key);
      pools.set(key, { pool, lastUsedMs: now });
      dropUnused(now);
      return pool;
    },
    get size() {
      return pools.size;
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map(({ pool }) => pool.destroy()));
    },
  };
}

function createPool(target: Target, address: string, allowPrivate: boolean, limits: PoolLimits): Pool {
  return new Pool(target.origin, {
    connections: limits.connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: limits.idleTimeoutMs,
    keepAliveMaxTimeout: limits.idleTimeoutMs,
    maxHeaderSize: limits.responseHeaderBytesMax,
    // One deadline covers the whole request; see exchange.ts.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: pinnedConnector(address, allowPrivate, limits.connectTimeoutMs),
  });
}

/** Connects to the checked address, even if the name resolves to another one by then. TLS still verifies the name. */
function pinnedConnector(address: string, allowPrivate: boolean, timeoutMs: number): buildConnector.connector {
  const family = isIPv6(address) ? 6 : 4;
  const lookup: LookupFunction = (_hostname, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const connect = buildConnector({ timeout: timeoutMs, lookup, autoSelectFamily: false, maxCachedSessions: 8 });
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      const refusal = checkPeer(socket, address, allowPrivate);
      if (!refusal) return callback(null, socket);
      socket.destroy();
      return callback(new FailureError(refusal), null);
    });
  };
}

/** Final check: the connection goes to the address that was checked, and the address may be called. */
export function checkPeer(
  socket: Pick<Socket, 'remoteAddress'>,
  address: string,
  allowPrivate: boolean,
): SafeFetchFailure | undefined {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined) return failure('connect', 'the connection was closed at once');
  if (isSameAddress(remoteAddress, address) && isAllowedAddress(remoteAddress, allowPrivate)) return undefined;
  return failure('blocked_address', 'the host may not be called');
}
