import { AppError, invariant } from '@tollgate/errors';
import type { Context } from '../context.js';
import { hashApiKey, keyKindOf } from '../domain/api-key.js';
import { emailKey } from '../domain/email.js';
import { findKeyRowByHash } from '../store/api-keys.js';
import { listProjects } from '../store/projects.js';
import { findUserByEmailKey } from '../store/users.js';
import { issueApiKey } from './issue-api-key.js';
import { registerOwner } from './register-owner.js';
import { type SessionTokens, startSession } from './start-session.js';

export interface DemoOwnerWish {
  email: string;
  password: string;
  projectName?: string;
  /** Full key values (`tg_sk_…`, `tg_pk_…`), so that later starts can print the same ones. */
  secretKey: string;
  publishableKey: string;
}

export interface DemoOwner {
  accountId: string;
  userId: string;
  projectId: string;
  /** The given values, or fresh ones in place of those that were revoked since. */
  secretKey: string;
  publishableKey: string;
  /** A fresh session. */
  tokens: SessionTokens;
}

/** Makes what is missing of the demo owner, its project and its keys; what is there stays. For local starts. */
export async function ensureDemoOwner(ctx: Context, wish: DemoOwnerWish): Promise<DemoOwner> {
  const { keyPrefix } = ctx.config;
  invariant(keyKindOf(keyPrefix, wish.secretKey) === 'secret', `the secret key must begin with ${keyPrefix}sk_`);
  invariant(
    keyKindOf(keyPrefix, wish.publishableKey) === 'publishable',
    `a publishable key begins with ${keyPrefix}pk_`,
  );
  const { userId, accountId, projectId } = await findOrRegister(ctx, wish);
  const secretKey = await ensureKey(ctx, projectId, 'secret', wish.secretKey);
  const publishableKey = await ensureKey(ctx, projectId, 'publishable', wish.publishableKey);
  const tokens = await startSession(ctx, userId, projectId);
  return { accountId, userId, projectId, secretKey, publishableKey, tokens };
}

async function findOrRegister(ctx: Context, wish: DemoOwnerWish) {
  const user = await findUserByEmailKey(ctx.db, emailKey(wish.email));
  if (!user) {
    const { user: made, project } = await registerOwner(ctx, wish);
    return { userId: made.id, accountId: made.accountId, projectId: project.id };
  }
  const [project] = await listProjects(ctx.db, user.accountId, { limit: 1, offset: 0 });
  invariant(project, 'an account keeps at least one project');
  return { userId: user.id, accountId: user.accountId, projectId: project.id };
}

/** The value that works: the given one, or a fresh one when the given was revoked. */
async function ensureKey(
  ctx: Context,
  projectId: string,
  kind: 'secret' | 'publishable',
  value: string,
): Promise<string> {
  const known = await findKeyRowByHash(ctx.db, hashApiKey(ctx.config.pepper, value));
  if (known && known.projectId !== projectId) throw new AppError('CONFLICT', `the ${kind} key is another project's`);
  if (known && !known.revokedAt) return value;
  const wish = { projectId, kind, label: 'Demo key', value: known ? undefined : value };
  return (await issueApiKey(ctx, ctx.db, wish)).secret;
}
