import type { OwnerInfo } from '../domain/identity.js';
import type { User } from './generated/client.js';
import type { Db } from './prisma.js';
import { listProjects, toProjectInfo } from './projects.js';

export type { User };

export async function readOwnerInfo(db: Db, userId: string): Promise<OwnerInfo | undefined> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { id: true, accountId: true } });
  if (!user) return undefined;
  const [project] = await listProjects(db, user.accountId, { limit: 1, offset: 0 });
  if (!project) return undefined;
  return { userId: user.id, project: toProjectInfo(project) };
}

export function findUserByEmailKey(db: Db, emailKey: string): Promise<User | null> {
  return db.user.findUnique({ where: { emailKey } });
}

export function findUser(db: Db, userId: string): Promise<User | null> {
  return db.user.findUnique({ where: { id: userId } });
}

export async function findUserByIdentity(db: Db, provider: string, subject: string): Promise<User | undefined> {
  const identity = await db.userIdentity.findUnique({
    where: { provider_subject: { provider, subject } },
    include: { user: true },
  });
  return identity?.user;
}
