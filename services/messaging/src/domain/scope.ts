import { type Address, isApi } from './address.js';

/** What a caller may touch: one customer's messages of a project, or without a customer all of the project's. */
export interface Scope {
  projectId: string;
  customerId: string | undefined;
  /** A customer's client: it has no agent's address but that of the API. */
  isCustomerClient: boolean;
}

/** Runs that a caller has vouched for → the customer they belong to; undefined = the project's own. */
export type RunOwners = ReadonlyMap<string, string | undefined>;

/**
 * Whether an address lies in a scope. Agents belong to a project: a customer may write to them, and sees of their
 * mailboxes what lies in its own scope. Runs belong to a customer or to the project; nobody here knows the runs, so an
 * unvouched one passes, and what is sent to it stays in the sender's scope.
 */
export function isInScope(address: Address, scope: Scope, runs: RunOwners): boolean {
  if (address.kind === 'agent') return address.projectId === scope.projectId;
  if (!scope.customerId || !runs.has(address.runId)) return true;
  return runs.get(address.runId) === scope.customerId;
}

/** Whether the scope may send from an address that lies in it. */
export function maySendFrom(address: Address, { isCustomerClient }: Scope): boolean {
  return !isCustomerClient || address.kind === 'run' || isApi(address);
}

/** The customer that an address is known to belong to. */
export function ownerOf(address: Address, runs: RunOwners): string | undefined {
  return address.kind === 'run' ? runs.get(address.runId) : undefined;
}
