import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/holds/admission-blocks.js';

export interface Block {
  projectId: string;
  refusalCode: string;
}

/** Claims the blocks without a recent event and returns them. Of concurrent callers, one claims a block. */
export async function claimBlocks(tx: Queryable, blocks: readonly Block[]): Promise<Block[]> {
  return sql.claimBlocks(tx, {
    projectIds: blocks.map((b) => b.projectId),
    refusalCodes: blocks.map((b) => b.refusalCode),
  });
}
