import type { Queryable } from '@tollgate/postgres';
import { type Caller, isStorableId } from '../../domain/stored-response.js';
import { findItemPlaces, type ItemPlace, readOutputs } from '../../store/responses.js';

/** Bytes of the outputs that are in memory at once, if there are several. */
const BATCH_BYTES = 8 * 1024 * 1024;

export interface ReferencedItem {
  id: string;
  item: string;
}

/** Returns the caller's output items with these ids, or `too large` when they have more than `bytesMax`. */
export async function readItemsById(
  db: Queryable,
  caller: Caller,
  { itemIds, bytesMax, now }: { itemIds: readonly string[]; bytesMax: number; now: Date },
): Promise<ReferencedItem[] | 'too large'> {
  const storable = itemIds.filter(isStorableId);
  if (storable.length === 0) return [];
  const items: ReferencedItem[] = [];
  let bytes = 0;
  for (const batch of toBatches(await findItemPlaces(db, caller, storable, now))) {
    for (const { id, outputItems } of await readOutputs(db, [...batch.keys()])) {
      const output = JSON.parse(outputItems) as unknown[];
      for (const { itemId, position } of batch.get(id)!) {
        const item = JSON.stringify(output[position]);
        bytes += Buffer.byteLength(item);
        if (bytes > bytesMax) return 'too large';
        items.push({ id: itemId, item });
      }
    }
  }
  return items;
}

/** Groups places by response, and responses by their size. */
function toBatches(places: readonly ItemPlace[]): Map<string, ItemPlace[]>[] {
  const byResponse = new Map<string, ItemPlace[]>();
  for (const place of places) {
    const ofResponse = byResponse.get(place.id);
    if (ofResponse) ofResponse.push(place);
    else byResponse.set(place.id, [place]);
  }
  const batches: Map<string, ItemPlace[]>[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [id, ofResponse] of byResponse) {
    const { outputBytes } = ofResponse[0]!;
    if (bytes + outputBytes > BATCH_BYTES) {
      batches.push(new Map());
      bytes = 0;
    }
    bytes += outputBytes;
    batches.at(-1)!.set(id, ofResponse);
  }
  return batches;
}
