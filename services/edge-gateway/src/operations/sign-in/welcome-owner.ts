import type { Context } from '../../context.js';
import type { User } from '../../store/users.js';
import { recordAudit, signedIn } from '../record-audit.js';
import { type Asker, readSignInSource, rememberSignInSource } from './sign-in-source.js';

/** Remembers from where an owner has registered, and writes it to the audit log. */
export async function welcomeOwner(
  ctx: Pick<Context, 'clock' | 'logger' | 'pool'>,
  user: User,
  asker: Asker,
  requestId: string,
): Promise<void> {
  await rememberSignInSource(ctx, user.email, asker, await readSignInSource(ctx, user.email, asker));
  await recordAudit(ctx, { ...signedIn(user, asker.address, requestId), action: 'account.registered' });
}
