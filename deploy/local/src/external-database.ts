import { createPool } from '@tollgate/postgres';
import { toReason } from '@tollgate/service';

const TIMEOUT_MS = 5_000;

/** Asks the database of `DATABASE_URL`. @throws Error that names the variable, the reason and the remedy */
export async function checkExternalDatabase(url: string): Promise<void> {
  const pool = createPool({ url, schema: 'public', max: 1, connectTimeoutMs: TIMEOUT_MS, answerTimeoutMs: TIMEOUT_MS });
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    const remedy = 'Correct it, or unset it to use the embedded PostgreSQL.';
    throw new Error(`DATABASE_URL: PostgreSQL cannot be used (${toReason(error)}). ${remedy}`);
  } finally {
    await pool.end();
  }
}
