import type { GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { HotExchange } from './hot-exchange.js';
import type { Frames } from './start-turn.js';

/** An answer as it is kept for repeats of an idempotent request. */
export interface AnswerCopy {
  status: number;
  headers: Record<string, string>;
  chunks: Uint8Array[];
  /** The turn came to its proper end. */
  isComplete: boolean;
}

const contentType = 'application/json; charset=utf-8';
const jsonHeaders = ['Content-Type', contentType, 'Cache-Control', 'no-store'];

/** One JSON body in one write. */
export function writePlain(
  exchange: HotExchange,
  first: IteratorResult<GenerateResponse>,
  frames: Frames,
  copy: AnswerCopy | undefined,
): void {
  if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
  const { data } = first.value;
  if (copy) {
    copy.status = 200;
    copy.headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' };
    copy.chunks.push(data);
    copy.isComplete = true;
  } else {
    exchange.write(200, jsonHeaders, data);
  }
  // Nothing follows but the end of the call, which costs less when it is read than when it is cancelled.
  frames.next().catch(ignore);
}

function ignore(): void {}
