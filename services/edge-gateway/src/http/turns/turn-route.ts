import type { IncomingHttpHeaders } from 'node:http';
import type { RequestInput } from '@tollgate/api';
import type { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { AppError } from '@tollgate/errors';
import type { z } from 'zod';
import type { StreamFormat } from '../answer/stream-format.js';
import { ownHold } from '../exchange/idempotency-key.js';
import type { BytesRoute } from '../exchange/route.js';
import { runTurn } from './run-turn.js';

/** The part of a validated body that admission and dispatch need. */
export interface TurnRequest {
  model: string | undefined;
  provider: string | undefined;
  maxOutputTokens: number | undefined;
  input: RequestInput;
  /** Framing of a streamed answer; undefined for one JSON body. */
  format: StreamFormat | undefined;
  /** The choice of `X-Service-Cache`; undefined for the project's setting. */
  usesCache?: boolean | undefined;
  /** Vendor features that the client's library enables by a header. */
  betas?: string[];
}

/** Asks a model in one dialect. */
export interface TurnRoute extends BytesRoute<TurnRequest> {
  dialect: Dialect;
  /** JSON of the event sent in a long silence; undefined for a comment or a blank line. */
  keepaliveEvent?: string;
  /** Returns the JSON of the event that ends a broken stream. */
  errorEvent(error: AppError, requestId: string): string;
  /** SSE name of that event, where the dialect has one. */
  errorEventName?: string;
  unknownModel(model: string): AppError;
}

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
    read(body: z.output<B>, headers: IncomingHttpHeaders): TurnRequest;
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
    read: (body, headers) => ({ ...route.read(body as z.output<B>, headers), usesCache: readCacheHeader(headers) }),
  };
}

/** Reads `X-Service-Cache`: `1` asks for the response cache, `0` forbids it, all else leaves the choice to the project. */
export function readCacheHeader(headers: IncomingHttpHeaders): boolean | undefined {
  const value = headers['x-service-cache'];
  if (value === '1') return true;
  return value === '0' ? false : undefined;
}
