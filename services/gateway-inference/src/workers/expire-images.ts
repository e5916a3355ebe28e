import type { Context } from '../context.js';
import { forgetDeletedImages, listExpiredImages, markImageDeleted } from '../store/images.js';

const BATCH = 100;
const FORGET_AFTER_MS = 30 * 86_400_000;
const FORGET_BATCH = 1_000;

/**
 * Deletes the files of expired images; for another month, requests for them are answered with `GONE`. A file that cannot be
 * deleted is retried by a later pass and does not block the others. Returns true if more images may be expired
 * or more rows to be deleted.
 */
export async function expireImages(ctx: Pick<Context, 'pool' | 'imageStorage' | 'clock' | 'logger'>): Promise<boolean> {
  const { pool, imageStorage, clock, logger } = ctx;
  if (!imageStorage) return false;
  const ids = await listExpiredImages(pool, clock.now(), BATCH);
  let failures = 0;
  for (const id of ids) {
    try {
      await imageStorage.delete(id);
      await markImageDeleted(pool, id, clock.now());
    } catch (err) {
      failures++;
      logger.warn({ err, image_id: id }, 'image file not deleted; retrying later');
    }
  }
  const forgotten = await forgetDeletedImages(pool, new Date(clock.nowMs() - FORGET_AFTER_MS), FORGET_BATCH);
  return (ids.length === BATCH && failures === 0) || forgotten === FORGET_BATCH;
}
