import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Scope } from '../domain/scope.js';

/**
 * Returns the caller's scope. Rejects a customer's principal without a customer: its scope would be the whole project.
 */
export function requireScope(call: Call): Scope {
  const { kind, projectId, customerId } = call.requirePrincipal();
  if (kind === PrincipalKind.PUBLISHABLE_KEY) throw new AppError('FORBIDDEN', 'publishable keys cannot do this');
  if (!projectId || (kind === PrincipalKind.CUSTOMER && !customerId)) {
    throw new AppError('UNAUTHORIZED', 'the credential has no project');
  }
  return { projectId, customerId: customerId || undefined };
}

/** Returns the project of a caller that may manage it. Customers run agents but cannot read or change them. */
export function requireManagedProject(call: Call): string {
  const { projectId } = requireScope(call);
  if (call.requirePrincipal().kind === PrincipalKind.CUSTOMER) {
    throw new AppError('FORBIDDEN', 'customers cannot manage agents');
  }
  return projectId;
}
