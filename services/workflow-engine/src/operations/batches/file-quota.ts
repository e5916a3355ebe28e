import { AppError } from '@tollgate/errors';
import type { Tx } from '@tollgate/postgres';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { type FileTotals, lockProjectFiles, readFileTotals } from '../../store/batches/file-totals.js';

const { projectFiles, projectBytes, customerFiles, customerBytes } = batchLimits;

/**
 * Runs `add`, which stores a file or a part of one, unless the project or its customer then stores more than it may. Other
 * uploads to the project wait until the transaction ends, so that concurrent ones cannot exceed the limits together.
 *
 * @throws AppError CONFLICT
 */
export async function addWithinQuota(
  tx: Tx,
  projectId: string,
  add: () => Promise<{ customerId: string | null }>,
): Promise<void> {
  await lockProjectFiles(tx, projectId);
  const { customerId } = await add();
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
