import type { User } from './generated/client.js';
import type { Db } from './prisma.js';

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

/** Inserts an account, its owner and the owner's OAuth identity. Run it in a transaction. */
export async function insertOwner(tx: Db, owner: OwnerRow): Promise<User> {
  const { accountId, userId, email, emailKey, passwordHash, identity, createdAt } = owner;
  await tx.account.create({ data: { id: accountId, billingProvider: owner.billingProvider ?? null, createdAt } });
  const user = await tx.user.create({ data: { id: userId, accountId, email, emailKey, passwordHash, createdAt } });
  if (identity) await tx.userIdentity.create({ data: { ...identity, userId, createdAt } });
  return user;
}
