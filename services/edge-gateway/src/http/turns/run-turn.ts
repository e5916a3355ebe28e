import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect, GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, errorForAudience } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { release, underHold } from '@tollgate/spending';
import type { z } from 'zod';
import type { StreamFormat } from '../answer/accept.js';
import { type AnswerStream, streamHeaders } from '../answer/stream.js';
import type { Exchange, Matched } from '../exchange/exchange.js';
import { ownHold } from '../exchange/idempotency-key.js';
import { admitInTurn, type TurnSpender } from './admit-turn.js';
import type { TurnRequest, TurnRoute } from './turn-route.js';

export const JSON_HEADERS = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'];

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

/** Admits a turn, dispatches it and answers: one JSON body in one write, or events as they come. */
export async function runTurn(
  exchange: Exchange<TurnRoute>,
  turn: TurnRequest,
  bytes: Uint8Array,
  call: Call,
): Promise<void> {
  const started = await startTurn(exchange, turn, { dialect: exchange.route.dialect, body: bytes }, call);
  if (!started) throw new AppError('RELAY_TIMEOUT', 'the client disconnected');
  const { first, frames, modelId } = started;
  if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
  if (turn.format !== undefined) {
    exchange.ctx.requestMetrics.firstByte(exchange, modelId);
    return writeFrames(openStream(exchange, turn.format, first.value), exchange, first, frames);
  }
  exchange.record.settled(first.value);
  exchange.reply.answer(200, [...JSON_HEADERS, ...warningHeaders(first.value)], first.value.data);
  // Only the end of the call follows. Reading it costs less than canceling the call.
  frames.next().catch(ignore);
}

type Frames = AsyncIterator<GenerateResponse>;

/** The bytes of a turn for the model. */
interface Sent {
  dialect: Dialect;
  body: Uint8Array;
}

/** A turn whose first frame has come. */
interface StartedTurn {
  first: IteratorResult<GenerateResponse>;
  frames: Frames;
  /** The model that was admitted. */
  modelId: string;
}

/**
 * Admits a turn and dispatches it. Undefined when its caller left in between.
 *
 * @throws AppError for a refusal, or a failure before the first frame
 */
export async function startTurn(
  spender: TurnSpender,
  turn: TurnRequest,
  { dialect, body }: Sent,
  call: Call,
): Promise<StartedTurn | undefined> {
  const { ctx, ids, record } = spender;
  const { admission, inputTokens } = await admitInTurn(spender, turn, call);
  if (call.isAborted) {
    await release(ctx.ledger, ids, 'CANCELED', call);
    return undefined;
  }
  record.dispatched();
  const frames = ctx.clients.inference
    .generate(
      {
        dialect,
        body,
        stream: turn.format !== undefined,
        modelId: admission.modelId,
        maxOutputTokens: admission.maxOutputTokens,
        inputTokensEstimate: BigInt(inputTokens),
        holdTtlMs: admission.holdTtlMs,
        holdId: ids.holdId,
        ownConnections: admission.ownConnections,
        admissionMs: record.decidedMs,
        betas: turn.betas ?? [],
        modelName: turn.modelName ?? '',
        ...(turn.storage && { storage: turn.storage }),
        usesCache: turn.usesCache ?? call.principal?.responseCache ?? false,
      },
      call,
    )
    [Symbol.asyncIterator]();
  return { first: await underHold(ctx.ledger, ids, call, frames.next()), frames, modelId: admission.modelId };
}

/** Names the parameters of the request that its provider lacks and did not receive. */
function warningHeaders({ droppedParameters: dropped }: GenerateResponse): string[] {
  return dropped.length === 0 ? [] : ['X-Service-Dropped-Parameters', dropped.join(', ')];
}

function openStream(exchange: Exchange<TurnRoute>, format: StreamFormat, first: GenerateResponse): AnswerStream {
  const { route, ids } = exchange;
  return exchange.reply.openStream([...streamHeaders(format), ...warningHeaders(first)], {
    format,
    keepaliveEvent: route.keepaliveEvent,
    errorEvent: (error) => route.errorEvent(errorForAudience(error, exchange.audience), ids.requestId),
    errorEventName: route.errorEventName,
    errorsAreBare: route.errorsAreBare,
  });
}

/** Writes events with backpressure. The last frame of a complete turn carries its usage. */
async function writeFrames(
  stream: AnswerStream,
  exchange: Exchange<TurnRoute>,
  first: IteratorResult<GenerateResponse>,
  frames: Frames,
): Promise<void> {
  const { record } = exchange;
  record.streamed();
  for (let item = first; !item.done; item = await frames.next()) {
    const { data, event, more, usage, hasFailed } = item.value;
    let full: Promise<void> | undefined;
    if (data.length > 0) full = stream.send(data, event || undefined);
    for (const each of more) full = stream.send(each.data, each.event || undefined) ?? full;
    if (usage || hasFailed) record.settled(item.value);
    if (hasFailed) record.hasFailed = true;
    if (usage && !hasFailed) exchange.reply.copy?.complete();
    if (full) await full;
    if (stream.isWanted) continue;
    await frames.return?.();
    break;
  }
  exchange.done();
  stream.end();
}

function ignore(): void {}
