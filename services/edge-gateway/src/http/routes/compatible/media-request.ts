import type { CatalogModel, MediaEstimate } from '@tollgate/catalog';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { admit, release, underHold, unknownModel } from '@tollgate/spending';
import type { RouteInput } from '../../exchange/route.js';
import { noteOutcome, requireAdmitted, type Spender, type SpendingContext } from '../../turns/admit-turn.js';

/** As long as the vendors' client libraries wait. */
export const MEDIA_TIMEOUT_MS = 600_000;

/** What inference has to know of an admission; the init form of MediaAdmission. */
interface AdmittedMedia {
  holdId: string;
  modelId: string;
  modelName: string;
  inputUnits: bigint;
  outputUnits: bigint;
}

type Input = Pick<RouteInput<unknown, unknown, unknown>, 'ids' | 'principal' | 'call' | 'record'>;

/** One request that is metered in its model's own unit: admitted by its size, settled by inference. */
export class MediaRequest {
  readonly #spender: Spender;
  readonly #call: Input['call'];

  constructor(ctx: SpendingContext, { ids, principal, call, record }: Input, path: string) {
    const audience = principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
    this.#spender = { ctx, ids, audience, record, route: { path, unknownModel } };
    this.#call = call;
  }

  /** Holds funds. @throws AppError for a refusal */
  async admit(modelName: string, estimate: (model: CatalogModel) => MediaEstimate): Promise<AdmittedMedia> {
    const { ctx, ids } = this.#spender;
    const model = ctx.catalog.find(modelName);
    if (!model) throw unknownModel(`${modelName}${ctx.catalog.adviceOn(modelName)}`);
    const { inputUnits, outputUnits } = estimate(model);
    const terms = { hold: ids, model: modelName, inputTokens: inputUnits, maxOutputTokens: outputUnits };
    const outcome = await admit(ctx.ledger, terms, this.#call);
    const named = { named: modelName, known: model };
    noteOutcome(this.#spender, outcome, this.#call, named);
    const { modelId } = requireAdmitted(this.#spender, outcome, named).admission;
    if (this.#call.isAborted) {
      void release(ctx.ledger, ids, 'CANCELED', this.#call);
      throw new AppError('RELAY_TIMEOUT', 'the client went away');
    }
    const holdId = ids.holdId;
    return { holdId, modelId, modelName, inputUnits: BigInt(inputUnits), outputUnits: BigInt(outputUnits) };
  }

  /** Awaits the answer of inference; a call that did not reach it leaves no hold behind. */
  answer<Answer>(asked: Promise<Answer>): Promise<Answer> {
    return underHold(this.#spender.ctx.ledger, this.#spender.ids, this.#call, asked);
  }
}

/** Yields the frames of a stream up to the last, which is marked and follows the settlement. */
export async function* readFrames<Frame extends { isLast: boolean }>(
  first: Frame,
  rest: AsyncIterator<Frame>,
): AsyncGenerator<Frame> {
  try {
    for (let frame = first; ; ) {
      yield frame;
      if (frame.isLast) break;
      const next = await rest.next();
      // Only an explicit end frame ends the stream, so that a truncated one does not look complete.
      if (next.done) throw new AppError('PROVIDER_ERROR', 'the stream ended early');
      frame = next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** Converts what an iteration yields. */
export async function* mapFrames<From, To>(
  frames: AsyncGenerator<From>,
  convert: (frame: From) => To,
): AsyncGenerator<To> {
  for await (const frame of frames) yield convert(frame);
}
