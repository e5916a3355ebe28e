import type { CatalogModel } from '@tollgate/catalog';
import type { AppError, Audience } from '@tollgate/errors';
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

/** A model as the client named it, and as the catalog has it. */
export interface NamedModel {
  named: string | undefined;
  known: CatalogModel | undefined;
}

/** Notes the ledger's decision in the log line of the request, and the tier that it names. */
export function noteOutcome({ ctx, record }: Spender, outcome: Outcome, call: Call, { known }: NamedModel): void {
  record.admission = outcome.kind === 'refused' ? outcome.code : outcome.kind;
  if (outcome.kind === 'refused') {
    record.model = known?.model_id;
    record.checkedLimits = outcome.limits ?? [];
  }
  if (outcome.kind !== 'admitted') return;
  record.model = outcome.admission.modelId;
  ctx.tierLimits.note(call.requirePrincipal(), outcome.admission.tierCode);
}

/** @throws AppError for a refusal, as its reader may see it; CONFLICT when a repeat has superseded this attempt */
export function requireAdmitted(
  { ctx, route, audience }: Spender,
  outcome: Outcome,
  { named, known }: NamedModel,
): Admitted {
  if (outcome.kind === 'ended') throw takenOver();
  if (outcome.kind === 'admitted') return outcome;
  if (!namesUnknownModel(outcome, named, known)) throw refusal(outcome, audience);
  throw route.unknownModel(`${named}${ctx.catalog.adviceOn(named)}`);
}
