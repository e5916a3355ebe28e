import type { Tx } from '@tollgate/postgres';

/** The files of a project or a customer. Uploads in progress count with the parts that they have stored. */
export interface FileTotals {
  files: number;
  bytes: number;
}

/** Returns what the project stores, and what one customer of it does: zero without one. */
export async function readFileTotals(
  tx: Tx,
  projectId: string,
  customerId: string | null,
): Promise<{ project: FileTotals; customer: FileTotals }> {
  const result = await tx.query<Record<'files' | 'bytes' | 'customer_files' | 'customer_bytes', number>>({
    name: 'files.totals',
    text: `
      SELECT count(*)::int AS files, coalesce(sum(bytes), 0)::float8 AS bytes,
             count(*) FILTER (WHERE customer_id = $2)::int AS customer_files,
             coalesce(sum(bytes) FILTER (WHERE customer_id = $2), 0)::float8 AS customer_bytes
      FROM files WHERE project_id = $1`,
    values: [projectId, customerId],
  });
  const row = result.rows[0]!;
  return {
    project: { files: row.files, bytes: row.bytes },
    customer: { files: row.customer_files, bytes: row.customer_bytes },
  };
}
