import { elapsed } from '@tollgate/runtime';
import { isStatelessVersion, STATELESS_VERSION } from '../domain/mcp/mcp-server.js';
import type { Exchange } from './mcp-exchange.js';
import { type McpReply, sessionLost, suggestsOtherVersion } from './mcp-failure.js';
import { END_TIMEOUT_MS, inSession } from './mcp-session.js';
import { type Ask, askStateless, isStateless } from './mcp-stateless.js';

/** A session that the server has forgotten is opened once again. */
const SESSIONS_MAX = 2;

/** The requests of a listing or a call, in the version of the server. */
export type Work<T> = (ask: Ask, version: string) => Promise<T>;

export interface Connection {
  /** The version that the server spoke last. Undefined: it is asked. */
  version: string | undefined;
  /** Returns the exchange of a new attempt. */
  open(): Exchange;
  /** Takes the end of a session, which delays no answer. */
  track(end: Promise<unknown>): void;
}

export interface Deadline {
  /** By `elapsed()`. */
  expiresAt: number;
  /** Aborts then, and when the process stops. */
  signal: AbortSignal;
}

/** Does the work in the version that the server is known to speak, or says that it speaks. */
export async function speak<T>(connection: Connection, deadline: Deadline, work: Work<T>): Promise<McpReply<T>> {
  const { version: known } = connection;
  if (known === undefined) return speakAs(await findIsStateless(connection, deadline), connection, deadline, work);
  const wasStateless = isStatelessVersion(known);
  try {
    return await speakAs(wasStateless, connection, deadline, work);
  } catch (error) {
    if (deadline.signal.aborted || !suggestsOtherVersion(error, wasStateless)) throw error;
    const isNow = await findIsStateless(connection, deadline);
    if (isNow === wasStateless) throw error;
    return speakAs(isNow, connection, deadline, work);
  }
}

async function speakAs<T>(
  stateless: boolean,
  { open, track }: Connection,
  { expiresAt, signal }: Deadline,
  work: Work<T>,
): Promise<McpReply<T>> {
  if (stateless) return { ok: true, value: await work(askStateless(open(), signal), STATELESS_VERSION) };
  for (let sessions = 0; sessions < SESSIONS_MAX; sessions += 1) {
    // The signal ends the work first: the library's own timeout looks like an error of the server.
    const timeoutMs = Math.max(1, expiresAt - elapsed()) + END_TIMEOUT_MS;
    const done = await inSession(open(), { signal, timeoutMs, track }, work);
    if (done) return { ok: true, ...done };
  }
  return sessionLost;
}

/** A server that ignores the question has half of the time left for earlier versions. */
function findIsStateless({ open }: Connection, { expiresAt, signal }: Deadline): Promise<boolean> {
  const half = AbortSignal.timeout(Math.max(1, Math.floor((expiresAt - elapsed()) / 2)));
  return isStateless(askStateless(open(), AbortSignal.any([signal, half])));
}
