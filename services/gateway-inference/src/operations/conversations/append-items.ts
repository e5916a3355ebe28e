import type { Tx } from '@tollgate/postgres';
import type { JsonObject } from '@tollgate/runtime';
import { listItemIds, toNewItems } from '../../domain/conversation.js';
import { claimAppend, findTakenIds, insertItems, takePositions } from '../../store/conversation-items.js';

/** Items of one turn or request, which stay together. */
export interface Append {
  conversationKey: string;
  /** The hold of the turn, or the attempt of the request. */
  sourceId: string;
  items: readonly JsonObject[];
  now: Date;
  expiresAt: Date;
}

/**
 * Adds items to the end of a conversation, in a row. `repeated`: the source has added them before, or was superseded.
 * `missing`: the conversation does not exist any more.
 */
export async function appendItems(tx: Tx, append: Append): Promise<'added' | 'repeated' | 'missing'> {
  const { conversationKey: key, sourceId, items, now, expiresAt } = append;
  if (!(await claimAppend(tx, sourceId, key, now))) return 'repeated';
  const first = await takePositions(tx, key, { count: items.length, expiresAt });
  if (first === undefined) return 'missing';
  const takenIds = await findTakenIds(tx, key, listItemIds(items));
  await insertItems(tx, key, { sourceId, first, items: toNewItems(items, takenIds, sourceId) });
  return 'added';
}
