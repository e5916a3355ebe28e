import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { countProjects, lockAccount, markProjectDeleted } from '../store/projects.js';
import { announceRevocation, writeRevocation } from './revoke.js';

/**
 * Hides the project and ends its keys and customer tokens. The account's last project stays: a session without one would
 * mean nothing on endpoints that name none.
 *
 * @throws AppError NOT_FOUND, CONFLICT
 */
export async function deleteProject(ctx: Context, owner: Principal, projectId: string): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    await lockAccount(tx, owner.accountId);
    const isDeleted = await markProjectDeleted(tx, owner.accountId, projectId, ctx.clock.now());
    if (!isDeleted) throw new AppError('NOT_FOUND', 'project not found');
    if ((await countProjects(tx, owner.accountId)) === 0) {
      throw new AppError('CONFLICT', 'the last project of an account cannot be deleted');
    }
    await writeRevocation(ctx, tx, 'project', projectId);
  });
  announceRevocation(ctx, 'project', projectId);
  ctx.directory.forgetProject(projectId);
  ctx.directory.forgetOwner(owner.userId);
}
