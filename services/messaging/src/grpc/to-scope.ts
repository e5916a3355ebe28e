import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { RunOwner } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { RunOwners, Scope } from '../domain/scope.js';

/**
 * Returns the messages that the caller may access. Rejects a customer's principal without a customer, which would open the
 * whole project.
 */
export function toScope(call: Call, { fromClient = false } = {}): Scope {
  const { kind, projectId, customerId } = call.requirePrincipal();
  if (kind === PrincipalKind.PUBLISHABLE_KEY) throw new AppError('FORBIDDEN', 'publishable keys cannot use messages');
  if (!projectId || (kind === PrincipalKind.CUSTOMER && !customerId)) {
    throw new AppError('UNAUTHORIZED', 'the credential has no project');
  }
  const isCustomerClient = fromClient && kind === PrincipalKind.CUSTOMER;
  return { projectId, customerId: customerId || undefined, isCustomerClient };
}

export function toRunOwners(runs: RunOwner[]): RunOwners {
  return new Map(runs.map((run) => [run.runId.toLowerCase(), run.customerId || undefined]));
}
