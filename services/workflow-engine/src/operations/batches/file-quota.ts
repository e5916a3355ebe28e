import { AppError } from '@tollgate/errors';
import { lockUntilCommit, type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { type FileTotals, readFileTotals } from '../../store/batches/files.js';

const { projectFiles, projectBytes, customerFiles, customerBytes } = batchLimits;

/**
 * Runs `add`, which stores a file or a part of one, unless the project or its customer then stores more than it may. The totals
 * are read one upload at a time, so that concurrent ones cannot exceed the limits together. Uploads of one project wait for each
 * other before they take a connection of the pool, and those of other processes store their part before they wait.
 *
 * @throws AppError CONFLICT, RATE_LIMIT
 */
export async function addWithinQuota(
  { pool, insertions }: Pick<Context, 'pool' | 'insertions'>,
  projectId: string,
  add: (tx: Tx) => Promise<{ customerId: string | null }>,
): Promise<void> {
  const refuse = () => new AppError('RATE_LIMIT', 'too many uploads at once: try again', { retryable: true });
  const work = () => withTransaction(pool, (tx) => addTo(tx, projectId, add));
  return insertions.run(`files ${projectId}`, work, { refuse });
}

async function addTo(
  tx: Tx,
  projectId: string,
  add: (tx: Tx) => Promise<{ customerId: string | null }>,
): Promise<void> {
  const { customerId } = await add(tx);
  await lockUntilCommit(tx, `files/${projectId}`);
  const { project, customer } = await readFileTotals(tx, projectId, customerId);
  requireRoom('project', project, { files: projectFiles, bytes: projectBytes });
  requireRoom('customer', customer, { files: customerFiles, bytes: customerBytes });
}

function requireRoom(who: 'project' | 'customer', { files, bytes }: FileTotals, max: FileTotals): void {
  const exceeded = files > max.files ? `${max.files} files` : bytes > max.bytes ? `${max.bytes} bytes` : undefined;
  if (exceeded === undefined) return;
  throw new AppError(
    'CONFLICT',
    `with this file the ${who} would store more than ${exceeded}: delete files that are not needed`,
  );
}
