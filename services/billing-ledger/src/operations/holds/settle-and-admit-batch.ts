import type { Connection } from '../../store/database.js';
import { settleAndHold } from '../../store/holds/settle-and-hold.js';
import { type AdmitItem, type AdmitResult, toAdmitted, toWantedHold } from './admit-batch.js';
import { prepareSettlements, toSettleResults } from './settle-batch.js';
import type { SettleItem, SettleResult } from './settle-item.js';

/**
 * Writes settlements and admissions of the same moment in one statement. Returns undefined for a part of which nothing is
 * written: both if a settlement is not simple, the admissions if they do not all fit. The holds of the batches must differ.
 */
export async function settleAndAdmit(
  client: Connection,
  settles: SettleItem[],
  admits: AdmitItem[],
): Promise<[SettleResult[] | undefined, AdmitResult[] | undefined]> {
  const writes = await prepareSettlements(client, settles);
  const holds = admits.map(toWantedHold);
  const done = writes && (await settleAndHold(client, writes, holds));
  if (!done) return [undefined, undefined];
  return [toSettleResults(writes, done), done.areHeld ? toAdmitted(holds) : undefined];
}
