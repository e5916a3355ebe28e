import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { findImage, type Image, setImageExpiry } from '../../store/images.js';

type StoredImageContext = Pick<Context, 'clock' | 'pool'>;

/** Reads an image of the principal's project, and of its customer if the principal is a customer. */
export async function readImage(ctx: StoredImageContext, principal: Principal, id: string): Promise<Image> {
  const image = isUuid(id) ? await findImage(ctx.pool, id) : undefined;
  const isTheirs =
    image?.projectId === principal.projectId &&
    (principal.customerId === '' || image.customerId === principal.customerId);
  if (!image || !isTheirs) throw notFound();
  return alive(ctx, image);
}

/** Pins an image, so that it does not expire, or unpins it, which restarts its full lifetime. */
export async function pinImage(
  ctx: StoredImageContext & Pick<Context, 'config'>,
  principal: Principal,
  id: string,
  isPinned: boolean,
): Promise<Image> {
  const image = await readImage(ctx, principal, id);
  if (isPinned === (image.expiresAt === null)) return image;
  const now = ctx.clock.now();
  const expiresAt = isPinned ? null : new Date(now.getTime() + ctx.config.imageTtlMs);
  if (!(await setImageExpiry(ctx.pool, id, expiresAt, now))) throw gone();
  return { ...image, expiresAt };
}

export interface ImageFile {
  bytes: Uint8Array;
  mimeType: string;
  expiresAt: Date | null;
}

/** Reads the file of an image URL. The secret in the URL is the only credential. */
export async function readImageFile(
  ctx: StoredImageContext & Pick<Context, 'imageStorage'>,
  id: string,
  fileToken: string,
): Promise<ImageFile> {
  const image = isUuid(id) ? await findImage(ctx.pool, id) : undefined;
  if (!image || !isEqual(image.fileToken, fileToken)) throw notFound();
  const { mimeType, expiresAt } = alive(ctx, image);
  if (!ctx.imageStorage) throw new AppError('SERVICE_UNAVAILABLE', 'image storage is not configured');
  const bytes = await ctx.imageStorage.get(id);
  if (!bytes) throw gone();
  return { bytes, mimeType, expiresAt };
}

function alive(ctx: Pick<Context, 'clock'>, image: Image): Image {
  if (image.deletedAt !== null || (image.expiresAt && image.expiresAt <= ctx.clock.now())) throw gone();
  return image;
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function isUuid(text: string): boolean {
  return isLowerCaseUuid(text);
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'image not found');
}

function gone(): AppError {
  return new AppError('GONE', 'the image has expired; pin images that must stay');
}
