import type { Subject } from '../subject.js';
import type { ConnectedModel, ConnectionMode } from './connection.js';

/**
 * Returns which connections serve each model that the project's own ones have: `only` if one of them is set to it, because the
 * project then wants its requests to go nowhere else.
 */
export function toOwnModels(
  connections: readonly { mode: ConnectionMode; models: readonly Pick<ConnectedModel, 'modelId'>[] }[],
): ReadonlyMap<string, ConnectionMode> {
  const modes = new Map<string, ConnectionMode>();
  for (const { mode, models } of connections) {
    for (const { modelId } of models) if (modes.get(modelId) !== 'only') modes.set(modelId, mode);
  }
  return modes;
}

/** Limits of the owner in money. */
const PROVIDER_COST_ROLES = ['key', 'owner', 'daily_cap'] as const;

/**
 * Returns the subject of a request that only the project's own connections serve: no limit on provider cost applies, because the
 * owner account is not charged for it.
 */
export function withoutProviderCost(subject: Subject): Subject {
  const accounts = { ...subject.accounts };
  for (const role of PROVIDER_COST_ROLES) delete accounts[role];
  return { ...subject, accounts };
}
