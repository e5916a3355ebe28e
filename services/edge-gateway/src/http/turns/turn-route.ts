import type { SentResponsesBody } from '@tollgate/api/compatible';
import type { RequestInput } from '@tollgate/api/model-requests';
import type { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { AppError } from '@tollgate/errors';
import type { StreamFormat } from '../answer/accept.js';
import type { BytesRoute } from '../exchange/route.js';

/** The place of a stored answer in its conversation. */
export interface StoragePlan {
  /** Empty if it continues no other. */
  previousKey: string;
  /** Leading items of the input that belong to the answers before, or to the conversation. */
  historyItems: number;
  /** Empty if it belongs to no conversation. */
  conversationKey: string;
  /** It is only added to its conversation. */
  isUnlisted: boolean;
}

/** The part of a validated body that admission and dispatch need. */
export interface TurnRequest {
  model: string | undefined;
  provider: string | undefined;
  /** Covers all answers. */
  maxOutputTokens: number | undefined;
  /** Alternative answers that the request asks for; absent for one. */
  answers?: number;
  input: RequestInput;
  /** Framing of a streamed answer; undefined for one JSON body. */
  format: StreamFormat | undefined;
  /** The choice of `X-Service-Cache`; undefined for the project's setting. */
  usesCache?: boolean | undefined;
  /** Vendor features that the client's library enables by a header. */
  betas?: string[];
  /** Set in dialects whose answers can be stored: the body, which may name stored ones. */
  stateful?: SentResponsesBody;
  /** Set once it is decided that the answer is stored. */
  storage?: StoragePlan;
  /** Set in dialects that name the model outside the body. */
  modelName?: string;
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
  /** Whether that event is sent without framing. */
  errorsAreBare?: boolean;
  unknownModel(model: string): AppError;
}
