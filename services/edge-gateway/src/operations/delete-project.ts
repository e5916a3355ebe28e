import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { principalInProject } from '../domain/principal.js';
import { countProjects, lockAccount, markProjectDeleted } from '../store/projects.js';
import { announceRevocation, writeRevocation } from './tokens/revoke.js';

const CLOSE_TIMEOUT_MS = 5_000;
/** Longer than other calls, because the ledger may call the card processor. */
const CLOSE_PAYMENTS_TIMEOUT_MS = 15_000;

/**
 * Hides the project, ends its keys, customer tokens and open checkouts, and deletes its webhooks and tool hooks.
 * Refuses the account's last project, because a session without a project would be meaningless on endpoints that do not
 * name one, and a project whose customers have running subscriptions.
 *
 * @throws AppError NOT_FOUND, CONFLICT
 */
export async function deleteProject(
  ctx: Pick<Context, 'clients' | 'clock' | 'config' | 'directory' | 'pool' | 'revocations'>,
  owner: Principal,
  projectId: string,
  call: Call,
): Promise<void> {
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
    // Before the commit: afterwards these could no longer be disabled.
    await ctx.clients.payments.closeProject({}, call.with({ principal, timeoutMs: CLOSE_PAYMENTS_TIMEOUT_MS }));
    await ctx.clients.hooks.closeProject({}, call.with({ principal, timeoutMs: CLOSE_TIMEOUT_MS }));
  });
  announceRevocation(ctx, 'project', projectId);
  ctx.directory.forgetProject(projectId);
  ctx.directory.forgetOwner(owner.userId);
}
