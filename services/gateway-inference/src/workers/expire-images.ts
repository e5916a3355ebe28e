import type { Context } from '../context.js';
import { forgetDeletedImages, listExpiredImages, markImageDeleted } from '../store/images.js';

const BATCH = 100;
const FORGET_AFTER_MS = 30 * 86_400_000;

/** Deletes the files of expired images; their ids answer "gone" for a month more. */
export async function expireImages(ctx: Context): Promise<void> {
  const { db, imageStorage, clock } = ctx;
  if (!imageStorage) return;
  for (let ids = await listExpiredImages(db, clock.now(), BATCH); ids.length > 0; ) {
    for (const id of ids) {
      await imageStorage.delete(id);
      await markImageDeleted(db, id, clock.now());
    }
    ids = ids.length < BATCH ? [] : await listExpiredImages(db, clock.now(), BATCH);
  }
  await forgetDeletedImages(db, new Date(clock.nowMs() - FORGET_AFTER_MS));
}
