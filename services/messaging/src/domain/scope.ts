import { type Address, isApi } from './address.js';

/** The messages that a caller may access: those of one customer, or all of the project without a customer. */
export interface Scope {
  projectId: string;
  customerId: string | undefined;
  /** A customer's client may use no agent's address except the API's. */
  isCustomerClient: boolean;
}

/** The customers of the runs that the caller listed, by run id; undefined: the project's own run. */
export type RunOwners = ReadonlyMap<string, string | undefined>;

/**
 * Returns whether an address is in a scope. Agents belong to a project: a customer may write to them, and sees the part of
 * their mailboxes that is in its own scope. Runs belong to a customer or to the project. This service does not know the
 * runs, so it accepts a run that is not listed, and mail to it stays in the sender's scope.
 */
export function isInScope(address: Address, scope: Scope, runs: RunOwners): boolean {
  if (address.kind === 'agent') return address.projectId === scope.projectId;
  if (!scope.customerId || !runs.has(address.runId)) return true;
  return runs.get(address.runId) === scope.customerId;
}

/** Returns whether the scope may send from an address that is in it. */
export function maySendFrom(address: Address, { isCustomerClient }: Scope): boolean {
  return !isCustomerClient || address.kind === 'run' || isApi(address);
}

/** Returns the customer of a run's address; undefined for an agent, an unknown run and the project's own run. */
export function findRunOwner(address: Address, runs: RunOwners): string | undefined {
  return address.kind === 'run' ? runs.get(address.runId) : undefined;
}
