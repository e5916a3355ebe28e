import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Matched } from '../exchange/exchange.js';
import { ownHold } from '../exchange/idempotency-key.js';
import { runTurn } from './run-turn.js';
import type { TurnRequest, TurnRoute } from './turn-request.js';

/** Members that every turn has in common. */
type Common =
  | 'method'
  | 'auth'
  | 'refusals'
  | 'bodyClass'
  | 'idempotent'
  | 'holdIds'
  | 'cacheable'
  | 'timeoutMs'
  | 'turn';

/** Deadline of a whole turn; the vendors' client libraries wait as long. */
const TURN_TIMEOUT_MS = 600_000;

/** Defines one endpoint that asks a model. */
export function defineTurn<B extends z.ZodType>(
  route: Omit<TurnRoute, Common | 'body' | 'read'> & {
    body: B;
    turn?: TurnRoute['turn'];
    refusals?: TurnRoute['refusals'];
    read(body: z.output<B>, headers: IncomingHttpHeaders, matched: Matched): TurnRequest;
  },
): TurnRoute {
  return {
    method: 'POST',
    auth: ['secret_key', 'customer'],
    refusals: [402],
    bodyClass: 'generating',
    idempotent: true,
    holdIds: ownHold,
    cacheable: true,
    timeoutMs: TURN_TIMEOUT_MS,
    turn: runTurn,
    ...route,
    read(body, headers, matched) {
      const turn = route.read(body as z.output<B>, headers, matched);
      turn.usesCache = readCacheHeader(headers);
      return turn;
    },
  };
}

/** Reads `X-Service-Cache`: `1` asks for the response cache, `0` forbids it, all else leaves the choice to the project. */
export function readCacheHeader(headers: IncomingHttpHeaders): boolean | undefined {
  const value = headers['x-service-cache'];
  if (value === '1') return true;
  return value === '0' ? false : undefined;
}
