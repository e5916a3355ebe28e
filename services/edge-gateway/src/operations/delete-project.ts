import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { principalInProject } from '../domain/principal.js';
import { countProjects, lockAccount, markProjectDeleted } from '../store/projects.js';
import { announceRevocation, writeRevocation } from './revoke.js';

const CLOSE_TIMEOUT_MS = 5_000;
/** The ledger may ask the card processor how subscriptions stand. */
const CLOSE_PAYMENTS_TIMEOUT_MS = 15_000;

/**
 * Hides the project, ends its keys, customer tokens and open checkouts, and deletes its webhooks and tool hooks. The account's
 * last project stays: a session without one would mean nothing on endpoints that name none. So does one whose customers pay
 * for running subscriptions.
 *
 * @throws AppError NOT_FOUND, CONFLICT
 */
export async function deleteProject(ctx: Context, owner: Principal, projectId: string, call: Call): Promise<void> {
  const facts = await ctx.directory.project(projectId);
  await withTransaction(ctx.pool, async (tx) => {
    await lockAccount(tx, owner.accountId);
    const isDeleted = await markProjectDeleted(tx, owner.accountId, projectId, ctx.clock.now());
    if (!isDeleted || !facts) throw new AppError('NOT_FOUND', 'project not found');
    if ((await countProjects(tx, owner.accountId)) === 0) {
      throw new AppError('CONFLICT', 'the last project of an account cannot be deleted');
    }
    await writeRevocation(ctx, tx, 'project', projectId);
    const principal = principalInProject(owner, facts);
    // Both before the commit: what is still sold or called could not be switched off afterwards.
    await ctx.clients.payments.closeProject({}, call.with({ principal, timeoutMs: CLOSE_PAYMENTS_TIMEOUT_MS }));
    await ctx.clients.hooks.closeProject({}, call.with({ principal, timeoutMs: CLOSE_TIMEOUT_MS }));
  });
  announceRevocation(ctx, 'project', projectId);
  ctx.directory.forgetProject(projectId);
  ctx.directory.forgetOwner(owner.userId);
}
