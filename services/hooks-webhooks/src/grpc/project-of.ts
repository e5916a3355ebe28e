import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';

/** The project that an owner's call acts in: nobody else may manage what receives the project's events. */
export function ownedProjectOf(call: Call): string {
  const { kind, projectId } = call.requirePrincipal();
  if (kind !== PrincipalKind.OWNER) throw new AppError('FORBIDDEN', 'only the owner of the project may do this');
  if (!projectId) throw new AppError('UNAUTHORIZED', 'the credential has no project');
  return projectId;
}

/** The project whose agents the caller configures. */
export function managedProjectOf(call: Call): string {
  const { kind, projectId } = call.requirePrincipal();
  if (kind !== PrincipalKind.OWNER && kind !== PrincipalKind.SECRET_KEY) {
    throw new AppError('FORBIDDEN', 'only an owner or a secret key of the project may do this');
  }
  if (!projectId) throw new AppError('UNAUTHORIZED', 'the credential has no project');
  return projectId;
}
