import type { IncomingHttpHeaders } from 'node:http';
import type { RequestInput } from '@tollgate/api';
import type { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { AppError } from '@tollgate/errors';
import type { z } from 'zod';
import type { StreamFormat } from '../answer/stream-format.js';
import type { RouteDoc } from '../exchange/route.js';

/** What admission and dispatch need to know of a validated body. */
export interface TurnRequest {
  model: string | undefined;
  provider: string | undefined;
  maxOutputTokens: number | undefined;
  input: RequestInput;
  /** How a streamed answer is framed; undefined = one JSON body. */
  format: StreamFormat | undefined;
  /** As the client says by `X-Service-Cache`; undefined = as its project does. */
  usesCache?: boolean | undefined;
  /** Features of the vendor that the client's library switches on by a header. */
  betas?: string[];
}

/** One of the few endpoints that are served in front of Express. */
export interface HotRoute {
  /** Path from the host's root. */
  path: string;
  dialect: Dialect;
  errorShape: 'native' | 'openai' | 'anthropic';
  body: z.ZodType;
  /** `body` is what the schema gave. */
  read(body: unknown, headers: IncomingHttpHeaders): TurnRequest;
  /** The vendor's client library sends its key as `x-api-key`. */
  acceptsVendorKeyHeader?: boolean;
  /** Names of the request id that the dialect's client libraries look for, on top of our own. */
  requestIdHeaders: readonly string[];
  /** Event of a stream that has been silent for long; absent = a comment. */
  keepaliveEvent: string | undefined;
  /** JSON of the event that ends a stream which failed after it had begun. */
  errorEvent(error: AppError, requestId: string): string;
  /** Its SSE event name, where the dialect has one. */
  errorEventName?: string;
  unknownModel(model: string): AppError;
  doc: RouteDoc;
}
