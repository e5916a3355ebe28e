import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLimitedToProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';

/** Lets only callers pass who may see the money of the whole account. @throws AppError FORBIDDEN */
export async function requireOwnAccount(ctx: Pick<Context, 'directory' | 'pool'>, principal: Principal): Promise<void> {
  if (!(await isLimitedToProject(ctx, principal))) return;
  throw new AppError(
    'FORBIDDEN',
    'only users of the account that owns the project, and keys that they created, can read its balance and its statements',
  );
}
