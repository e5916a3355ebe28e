import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/reports/uncharged-usage.js';

export type UnchargedRow = sql.ListUnchargedRow;

export interface UnchargedFilter {
  ownerAccountId: string;
  projectId: string;
  customerId: string | undefined;
  kind: 'overrun' | 'unreconciled' | undefined;
}

/** Lists the requests of a project with usage that no customer paid for, newest first. */
export async function listUncharged(
  db: Queryable,
  { ownerAccountId, projectId, customerId, kind }: UnchargedFilter,
  { take, after }: { take: number; after: { settledAt: Date; id: string } | undefined },
): Promise<UnchargedRow[]> {
  return sql.listUncharged(db, {
    ownerAccountId,
    projectId,
    customerId: customerId ?? null,
    kind: kind ?? null,
    afterSettledAt: after?.settledAt ?? null,
    afterId: after?.id ?? null,
    take,
  });
}
