import type { CatalogModel } from '@tollgate/catalog';
import { AppError, type Audience } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { type Admitted, namesUnknownModel, type Outcome, refusal } from '@tollgate/spending';
import type { Context } from '../../context.js';
import { takenOver } from '../../operations/begin-idempotent.js';
import type { RequestIds } from '../exchange/request-id.js';
import type { RequestRecord } from '../exchange/request-record.js';

/** The parts of the context that the admission of a request uses. */
export type SpendingContext = Pick<Context, 'catalog' | 'ledger' | 'tierLimits'>;

/** Who asks for funds, and how the route answers. `ids` is the request's hold. */
export interface Spender {
  ctx: SpendingContext;
  ids: RequestIds;
  audience: Audience;
  record: RequestRecord;
  route: { path: string; unknownModel(model: string): AppError };
}

/** The ledger knows prices, not capabilities. Returns whether it refused because the model lacks the capability. */
export function isUnable(
  outcome: Outcome,
  model: CatalogModel | undefined,
  capability: CatalogModel['capabilities'][number],
): model is CatalogModel {
  const isInvalid = outcome.kind === 'refused' && outcome.code === 'INVALID_INPUT';
  return isInvalid && model !== undefined && !model.capabilities.includes(capability);
}

/**
 * Returns the admission and remembers the tier that it names. `known` is the named model as the catalog has it.
 *
 * @throws AppError for a refusal, as its reader may see it; CONFLICT when a repeat has superseded this attempt
 */
export function requireAdmitted(
  { ctx, route, audience, record }: Spender,
  outcome: Outcome,
  call: Call,
  named: string | undefined,
  known: CatalogModel | undefined,
): Admitted {
  record.admission = outcome.kind === 'refused' ? outcome.code : outcome.kind;
  if (outcome.kind === 'ended') throw takenOver();
  if (outcome.kind === 'refused') {
    record.model = known?.model_id;
    record.checkedLimits = outcome.limits ?? [];
    throw namesUnknownModel(outcome, named, known) ? route.unknownModel(named) : refusal(outcome, audience);
  }
  record.model = outcome.admission.modelId;
  ctx.tierLimits.note(call.requirePrincipal(), outcome.admission.tierCode);
  return outcome;
}

/** The answer of a compatible endpoint to a model that the catalog does not have: 404, as the vendors give. */
export function unknownCompatibleModel(model: string): AppError {
  return new AppError('NOT_FOUND', `the model ${model} does not exist`, {
    fields: [{ field: 'model', message: `unknown model ${model}` }],
  });
}
