// Loads a large table in minutes, without its indexes.
import type pg from 'pg';

interface Index {
  drop: string;
  create: string;
}

/**
 * Runs `insert` while the table has no index but those of foreign keys, then builds the indexes and the planner's statistics.
 *
 * @param isKept whether the table survives a crash of the server. If not, nothing is written to its log.
 */
export async function loadTable(
  client: pg.ClientBase,
  table: string,
  isKept: boolean,
  insert: () => Promise<void>,
): Promise<void> {
  const indexes = await readIndexes(client, table);
  for (const { drop } of indexes) await client.query(drop);
  if (!isKept && !(await hasForeignKeys(client, table))) await client.query(`ALTER TABLE ${table} SET UNLOGGED`);
  await insert();
  await client.query(`VACUUM ${table}`); // ahead of the indexes, which then need no pass of their own
  for (const { create } of indexes) await client.query(create);
  await client.query(`ANALYZE ${table}`);
}

async function readIndexes(client: pg.ClientBase, table: string): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
              ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END AS drop,
            CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
              ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
            END AS create
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
     WHERE i.indrelid = $1::regclass
       AND NOT EXISTS (SELECT 1 FROM pg_constraint f WHERE f.conindid = i.indexrelid AND f.contype = 'f')`,
    [table],
  );
  return rows;
}

/** Unlogged tables cannot have foreign keys to or from logged ones. */
async function hasForeignKeys(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_constraint WHERE contype = 'f' AND $1::regclass IN (conrelid, confrelid) LIMIT 1`,
    [table],
  );
  return rows.length > 0;
}
