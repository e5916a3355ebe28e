import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CompatService } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { InferenceService, ResponseStorageSchema } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import type { Admitted } from '@tollgate/spending';
import type { BatchRequest, BatchTurn } from '../domain/batches/batch-request.js';
import { toBounds } from './admission.js';

export interface BatchCallOptions {
  clients: {
    inference: Pick<Client<typeof InferenceService>, 'generate'>;
    compat: Pick<Client<typeof CompatService>, 'createEmbeddings'>;
  };
  request: BatchRequest;
  /** JSON of the request's body. */
  body: string;
  holdId: string;
  admitted: Admitted;
  /** How a turn is sent; undefined for the defaults of its principal. */
  sending?: TurnSending | undefined;
}

export interface TurnSending {
  /** How the answer is kept; undefined if it is not. */
  storage?: MessageInitShape<typeof ResponseStorageSchema>;
  /** Default: the choice of the principal's project. */
  usesCache?: boolean;
  betas?: readonly string[];
  /** Takes the events of a streamed answer, as JSON. Returns the JSON of the answer that the last one has. */
  takeEvent?: ((json: string) => Promise<string | undefined>) | undefined;
}

/** Makes the call of one request under its hold. Returns the JSON of the endpoint's answer, which is settled. */
export async function callForBatch(options: BatchCallOptions, call: Call): Promise<string> {
  const { request } = options;
  if (request.kind === 'turn') return generate(options, request, call);
  const { holdId, admitted, body, clients } = options;
  const { admission, inputTokens } = admitted;
  const { modelId } = admission;
  const media = { holdId, modelId, modelName: request.model, inputUnits: BigInt(inputTokens), outputUnits: 0n };
  const answer = await clients.compat.createEmbeddings({ admission: media, body: Buffer.from(body) }, call);
  return Buffer.from(answer.body).toString('utf8');
}

async function generate(
  { clients, body, holdId, admitted, sending }: BatchCallOptions,
  turn: BatchTurn,
  call: Call,
): Promise<string> {
  const { usesCache = call.requirePrincipal().responseCache, betas = [], storage, takeEvent } = sending ?? {};
  const frames = clients.inference.generate(
    {
      ...toBounds(admitted),
      dialect: turn.dialect,
      body: Buffer.from(body),
      holdId,
      usesCache,
      awaitsSettlement: true,
      stream: takeEvent !== undefined,
      betas: [...betas],
      ...(storage && { storage }),
    },
    call,
  );
  let answer: string | undefined;
  for await (const { data, more, hasFailed } of frames) {
    // The version before reports a failure as an event.
    if (hasFailed) throw new AppError('PROVIDER_ERROR', 'the answer broke off', { retryable: true });
    for (const each of [data, ...more.map((frame) => frame.data)]) {
      if (each.length === 0) continue;
      const json = Buffer.from(each).toString('utf8');
      answer = takeEvent ? await takeEvent(json) : json;
    }
  }
  if (answer === undefined) throw new AppError('INTERNAL_ERROR', 'the model call ended without an answer');
  return answer;
}
