// Generated from holds/admission-blocks.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

export interface ClaimBlocksInput {
  projectIds: readonly string[];
  refusalCodes: readonly (string | null)[];
}

export interface ClaimBlocksRow {
  projectId: string;
  refusalCode: string;
}

const CLAIM_BLOCKS = `
  INSERT INTO admission_blocks AS b (project_id, refusal_code)
  SELECT DISTINCT t.project_id, t.code
  FROM unnest($1::uuid[], $2::text[]) AS t (project_id, code)
  WHERE NOT EXISTS (
    SELECT 1 FROM admission_blocks seen
    WHERE seen.project_id = t.project_id AND seen.refusal_code = t.code AND seen.told_at > now() - interval '15 minutes'
  )
  ORDER BY 1, 2
  ON CONFLICT (project_id, refusal_code) DO UPDATE SET told_at = now() WHERE b.told_at <= now() - interval '15 minutes'
  RETURNING project_id AS "projectId", refusal_code AS "refusalCode"`;

/** Claims the blocks without an event in the last 15 minutes (SPEC) and returns them. Of concurrent callers, one claims a block. */
export async function claimBlocks(db: Queryable, input: ClaimBlocksInput): Promise<ClaimBlocksRow[]> {
  const { rows } = await db.query<ClaimBlocksRow>({
    name: 'claim_blocks',
    text: CLAIM_BLOCKS,
    values: [
      arrayLiteral(input.projectIds),
      input.refusalCodes,
    ],
  });
  return rows;
}
