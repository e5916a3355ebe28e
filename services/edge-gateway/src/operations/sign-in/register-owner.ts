import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { hasCode, type Tx, UNIQUE_VIOLATION, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import { insertOwner } from '../../store/owners.js';
import { insertProject, type Project } from '../../store/projects.js';
import type { User } from '../../store/users.js';
import { type IssuedKey, issueApiKey } from '../api-keys/issue-api-key.js';
import { hashPassword } from './passwords.js';

export interface Registration {
  email: string;
  /** Absent when an OAuth provider has verified the identity. */
  password?: string | undefined;
  identity?: { provider: string; subject: string } | undefined;
  billingProvider?: string | undefined;
  projectName?: string | undefined;
  /** See `KeyInput.value`. */
  secretKey?: string | undefined;
}

export interface RegisteredOwner {
  user: User;
  project: Project;
  issued: IssuedKey;
}

/**
 * Creates an account with its owner, its first project and the project's first secret key. @throws AppError CONFLICT
 */
export async function registerOwner(ctx: Parts, input: Registration): Promise<RegisteredOwner> {
  return createAccount(ctx, input, async (tx, user, project) => {
    const key = { projectId: project.id, kind: 'secret', label: 'First key', value: input.secretKey } as const;
    return { user, project, issued: await issueApiKey(ctx, tx, { ...key, issuedBy: user.id }) };
  });
}

/** Does the same without a key, for browsers: they hold no secret keys. @throws AppError CONFLICT */
export async function registerOwnerInBrowser(
  ctx: Parts,
  input: Registration,
): Promise<Pick<RegisteredOwner, 'user' | 'project'>> {
  return createAccount(ctx, input, async (_tx, user, project) => ({ user, project }));
}

type Parts = Pick<Context, 'clock' | 'config' | 'pool'>;

async function createAccount<T>(
  ctx: Parts,
  input: Registration,
  finish: (tx: Tx, user: User, project: Project) => Promise<T>,
): Promise<T> {
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const [accountId, userId, projectId] = [randomUUID(), randomUUID(), randomUUID()];
  const createdAt = ctx.clock.now();
  const { identity, billingProvider } = input;
  const email = input.email.trim();
  const owner = { accountId, userId, email, emailKey: emailKey(email), passwordHash, identity, billingProvider };
  try {
    return await withTransaction(ctx.pool, async (tx) => {
      const user = await insertOwner(tx, { ...owner, createdAt });
      const name = input.projectName ?? 'My project';
      const project = await insertProject(tx, { id: projectId, accountId, ownerId: userId, name, createdAt });
      return finish(tx, user, project);
    });
  } catch (error) {
    if (hasCode(error, UNIQUE_VIOLATION)) {
      throw new AppError('CONFLICT', 'an account with this email already exists', { cause: error });
    }
    throw error;
  }
}
