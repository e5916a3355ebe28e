import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ExtendHoldRequest, ExtendHoldResponseSchema } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import type { ModelBounds } from '../../domain/price.js';
import { requireExtras, toAdmission } from './admit.js';

/** Bounds of a model that was removed from the catalog after its request was admitted. */
const UNKNOWN_MODEL: ModelBounds = {
  outputBounds: { max: 8_192, usual: 8_192 },
  toFeeMicrocents: () => 0n,
  toPriceBound: () => undefined,
};
/** Limits the extensions that are stored with a hold; far more than the model calls of any turn. */
const EXTENSIONS_MAX = 1_000;

/** Extends a hold for a later model call of its request. A refusal does not change the hold. */
export async function extendHold(
  ctx: Pick<Context, 'config' | 'models' | 'openHolds' | 'relay' | 'writer'>,
  req: ExtendHoldRequest,
  call: Call,
): Promise<MessageInitShape<typeof ExtendHoldResponseSchema>> {
  if (!isLowerCaseUuid(req.holdId)) throw new AppError('INVALID_INPUT', 'hold_id must be a lower-case UUID');
  if (req.extension < 1 || req.extension > EXTENSIONS_MAX)
    throw new AppError('INVALID_INPUT', `extension must be 1 to ${EXTENSIONS_MAX}`);
  if (req.inputTokensEstimate < 0n || (req.maxOutputTokens ?? 1) < 1)
    throw new AppError('INVALID_INPUT', 'token counts must be positive');
  const { holdTtlMs } = ctx.config;
  const input = {
    extension: req.extension,
    inputTokensEstimate: Number(req.inputTokensEstimate),
    maxOutputTokens: req.maxOutputTokens,
    extras: requireExtras(req.extras),
    findBounds: (modelId: string) => ctx.models.find(modelId) ?? UNKNOWN_MODEL,
  };
  const ownerAccountId = call.principal?.accountId ?? '';
  const result = await ctx.writer.extend({ holdId: req.holdId, ownerAccountId, input, ttlMs: holdTtlMs }, call);
  if (result.kind === 'ended') throw new AppError('NOT_FOUND', 'the hold has ended');
  if (result.kind === 'refused') {
    ctx.relay.wake();
    return { decision: { case: 'refused', value: { code: result.code, message: result.message } } };
  }
  const { hold } = result;
  ctx.openHolds.remember(hold);
  const extension = hold.terms.extensions?.[req.extension];
  return {
    decision: {
      case: 'admitted',
      value: {
        ...toAdmission(hold, holdTtlMs),
        maxOutputTokens: extension?.outputTokens ?? 0,
        heldMicrocents: BigInt(extension?.heldMicrocents ?? 0),
      },
    },
  };
}
