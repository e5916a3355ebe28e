import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';

/** Returns the project of an owner's call; only owners may manage the endpoints that receive a project's events. */
export function requireOwnedProject(call: Call): string {
  const { kind, projectId } = call.requirePrincipal();
  if (kind !== PrincipalKind.OWNER) throw new AppError('FORBIDDEN', 'only the owner of the project may do this');
  if (!projectId) throw new AppError('UNAUTHORIZED', 'the credential has no project');
  return projectId;
}

/** Returns the project of a caller that may configure its agents. */
export function requireManagedProject(call: Call): string {
  const { kind, projectId } = call.requirePrincipal();
  if (kind !== PrincipalKind.OWNER && kind !== PrincipalKind.SECRET_KEY) {
    throw new AppError('FORBIDDEN', 'only an owner or a secret key of the project may do this');
  }
  if (!projectId) throw new AppError('UNAUTHORIZED', 'the credential has no project');
  return projectId;
}

/** Returns the project, the user and the session of an owner's call. */
export function requireAuthorizer(call: Call): { projectId: string; userId: string; sessionId: string } {
  const projectId = requireOwnedProject(call);
  const { userId, sessionId } = call.requirePrincipal();
  if (sessionId === '') throw new AppError('UNAUTHORIZED', 'the credential has no session; sign in again');
  return { projectId, userId, sessionId };
}
