import type { Image, PrismaClient } from './generated/client.js';

export type { Image };

export async function insertImages(db: PrismaClient, images: Omit<Image, 'deletedAt'>[]): Promise<void> {
  await db.image.createMany({ data: images });
}

export function findImage(db: PrismaClient, id: string): Promise<Image | null> {
  return db.image.findUnique({ where: { id } });
}

/** Returns false if the image has expired. */
export async function setImageExpiry(
  db: PrismaClient,
  id: string,
  expiresAt: Date | null,
  now: Date,
): Promise<boolean> {
  const { count } = await db.image.updateMany({
    where: { id, deletedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    data: { expiresAt },
  });
  return count === 1;
}

/** Returns expired images. They can no longer be pinned, so their files may be deleted. */
export async function listExpiredImages(db: PrismaClient, now: Date, limit: number): Promise<string[]> {
  const rows = await db.image.findMany({
    where: { expiresAt: { lte: now }, deletedAt: null },
    select: { id: true },
    orderBy: { expiresAt: 'asc' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

export async function markImageDeleted(db: PrismaClient, id: string, now: Date): Promise<void> {
  await db.image.update({ where: { id }, data: { deletedAt: now } });
}

/** Deletes the rows of the images whose files were deleted first. Returns how many. */
export async function forgetDeletedImages(db: PrismaClient, before: Date, limit: number): Promise<number> {
  // Two statements: a delete of Prisma has no order, and PostgreSQL would read the whole table for it.
  const rows = await db.image.findMany({
    where: { deletedAt: { lt: before } },
    select: { id: true },
    orderBy: { deletedAt: 'asc' },
    take: limit,
  });
  const { count } = await db.image.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  return count;
}
