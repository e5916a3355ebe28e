import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, asAppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { requireProject } from '../../project-scope.js';
import type { RouteInput } from '../../route.js';

type HookInput = Pick<RouteInput<{ id: string; hook_id: string }, unknown, unknown>, 'principal' | 'params'>;

/** As `requireProject`; a hook in somebody else's project is a hook that does not exist. */
export async function requireHookProject(ctx: Context, input: HookInput): Promise<Principal> {
  try {
    return await requireProject(ctx, input, input.params.id);
  } catch (error) {
    throw asAppError(error).code === 'NOT_FOUND' ? new AppError('NOT_FOUND', 'tool hook not found') : error;
  }
}
