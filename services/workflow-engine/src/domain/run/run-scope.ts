import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';

/** The runs that a caller may see. */
export interface RunScope {
  projectId: string;
  /** Set for a customer's token, which sees only this customer's runs. */
  customerId: string | undefined;
}

/**
 * Returns the scope of a principal. Keys see all runs of their project, even when they act for a customer.
 *
 * @throws AppError FORBIDDEN for principals that may not use runs
 */
export function runScope(principal: Principal): RunScope {
  switch (principal.kind) {
    case PrincipalKind.CUSTOMER:
      return { projectId: principal.projectId, customerId: principal.customerId };
    case PrincipalKind.SECRET_KEY:
    case PrincipalKind.OWNER:
    case PrincipalKind.SYSTEM:
      return { projectId: principal.projectId, customerId: undefined };
    default:
      throw new AppError('FORBIDDEN', 'runs require a secret key or a customer token');
  }
}

export function isInScope(run: { projectId: string; customerId: string | null }, scope: RunScope): boolean {
  return run.projectId === scope.projectId && (scope.customerId === undefined || run.customerId === scope.customerId);
}
