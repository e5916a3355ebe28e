import type { CatalogModel, MediaEstimate } from '@tollgate/catalog';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import type { RouteInput } from '../../exchange/route.js';
import { admissionOf, askLedger, type Spender } from '../../turns/ask-ledger.js';
import { dispatched, releaseHold } from '../../turns/release-hold.js';
import { unknownCompatibleModel } from '../../turns/unknown-model.js';

/** As long as the vendors' client libraries wait. */
export const MEDIA_TIMEOUT_MS = 600_000;

/** What inference has to know of an admission; the init form of MediaAdmission. */
export interface AdmittedMedia {
  holdId: string;
  modelId: string;
  modelName: string;
  inputUnits: bigint;
  outputUnits: bigint;
}

type Input = Pick<RouteInput<unknown, unknown, unknown>, 'ids' | 'principal' | 'call'>;

/** One request that is metered in its model's own unit: admitted by its size, settled by inference. */
export class MediaRequest {
  readonly #spender: Spender;
  readonly #call: Input['call'];

  constructor(ctx: Context, { ids, principal, call }: Input, path: string) {
    const audience = principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
    this.#spender = { ctx, ids, audience, route: { path, unknownModel: unknownCompatibleModel } };
    this.#call = call;
  }

  /** Reserves funds. @throws AppError for a refusal */
  async admit(modelName: string, estimate: (model: CatalogModel) => MediaEstimate): Promise<AdmittedMedia> {
    const { ctx, ids } = this.#spender;
    const model = ctx.catalog.find(modelName);
    if (!model) throw unknownCompatibleModel(modelName);
    const { inputUnits, outputUnits } = estimate(model);
    const terms = { model: modelName, inputTokensEstimate: inputUnits, maxOutputTokens: outputUnits };
    const decision = await askLedger(this.#spender, terms, this.#call);
    const { modelId } = admissionOf(this.#spender, decision, modelName, model);
    if (this.#call.isAborted) {
      void releaseHold(this.#spender, this.#call, 'CANCELED');
      throw new AppError('RELAY_TIMEOUT', 'the client went away');
    }
    const holdId = ids.holdId;
    return { holdId, modelId, modelName, inputUnits: BigInt(inputUnits), outputUnits: BigInt(outputUnits) };
  }

  /** The answer of inference; a call that never reached it leaves no hold behind. */
  answer<Answer>(asked: Promise<Answer>): Promise<Answer> {
    return dispatched(this.#spender, this.#call, asked);
  }
}
