import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';

/** Which runs somebody may see. */
export interface RunScope {
  projectId: string;
  /** Set for a customer's token: it sees this customer's runs only. */
  customerId: string | undefined;
}

/**
 * Keys see their whole project, whichever customer they act for.
 *
 * @throws AppError FORBIDDEN for principals that have no business with runs
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
      throw new AppError('FORBIDDEN', 'runs need a secret key or a customer token');
  }
}

export function isInScope(run: { projectId: string; customerId: string | null }, scope: RunScope): boolean {
  return run.projectId === scope.projectId && (scope.customerId === undefined || run.customerId === scope.customerId);
}
