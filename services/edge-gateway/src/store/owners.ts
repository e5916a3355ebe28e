import type { Tx } from '@tollgate/postgres';
import { insertUser } from './gen/sign-ins.js';
import type { User } from './users.js';

export interface OwnerRow {
  accountId: string;
  userId: string;
  email: string;
  emailKey: string;
  /** Null for an owner who signs in through an OAuth provider. */
  passwordHash: string | null;
  identity: { provider: string; subject: string } | undefined;
  billingProvider: string | undefined;
  createdAt: Date;
}

/** Inserts an account, its owner and the owner's OAuth identity. */
export async function insertOwner(tx: Tx, owner: OwnerRow): Promise<User> {
  const { accountId, userId, email, emailKey, passwordHash, identity, createdAt } = owner;
  await tx.query('INSERT INTO accounts (id, billing_provider, created_at) VALUES ($1, $2, $3)', [
    accountId,
    owner.billingProvider ?? null,
    createdAt,
  ]);
  const user = { id: userId, accountId, email, emailKey, passwordHash, createdAt };
  await insertUser(tx, user);
  if (identity) {
    await tx.query('INSERT INTO user_identities (provider, subject, user_id, created_at) VALUES ($1, $2, $3, $4)', [
      identity.provider,
      identity.subject,
      userId,
      createdAt,
    ]);
  }
  return user;
}
