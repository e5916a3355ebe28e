import type { Queryable } from '@tollgate/postgres';

/** Minimum interval between events of one project and code (SPEC). */
const QUIET = "interval '15 minutes'";

export interface Block {
  projectId: string;
  refusalCode: string;
}

/** Claims the blocks without a recent event and returns them. Of concurrent callers, one claims a block. */
export async function claimBlocks(tx: Queryable, blocks: readonly Block[]): Promise<Block[]> {
  const { rows } = await tx.query<Block>({
    name: 'claim_blocks',
    text: `INSERT INTO admission_blocks AS b (project_id, refusal_code)
      SELECT DISTINCT t.project_id, t.code FROM unnest($1::uuid[], $2::text[]) AS t (project_id, code)
      WHERE NOT EXISTS (SELECT 1 FROM admission_blocks seen
        WHERE seen.project_id = t.project_id AND seen.refusal_code = t.code AND seen.told_at > now() - ${QUIET})
      ORDER BY 1, 2
      ON CONFLICT (project_id, refusal_code) DO UPDATE SET told_at = now() WHERE b.told_at <= now() - ${QUIET}
      RETURNING project_id AS "projectId", refusal_code AS "refusalCode"`,
    values: [blocks.map((b) => b.projectId), blocks.map((b) => b.refusalCode)],
  });
  return rows;
}
