import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import { runToolOperations, type ToolOperation, toStateTool } from '../../domain/tool-operations.js';
import { lockToolState, type ToolScope, writeToolState } from '../../store/tool-states.js';
import { notFound } from '../not-found.js';

/** A model turn has a few operations; bounds one call. */
const OPERATIONS_MAX = 256;

/**
 * Runs operations of the key-value and task tools on a state handle or session, in one transaction under the scope's
 * lock. Returns the JSON of each result.
 *
 * @throws AppError NOT_FOUND for a scope that has expired, was deleted or belongs to another tenant; INVALID_INPUT
 */
export async function applyToolOperations(
  ctx: Pick<Context, 'clock' | 'pool'>,
  owner: Scope,
  scope: ToolScope,
  wanted: readonly { name: string; argumentsJson: string }[],
): Promise<string[]> {
  const operations = checkOperations(wanted);
  const now = ctx.clock.now();
  return withTransaction(ctx.pool, async (tx) => {
    const before = await lockToolState(tx, owner, scope, now);
    if (!before) throw notFound(scope.kind === 'session' ? 'session' : 'state handle');
    const { state, outputs, isChanged } = runToolOperations(before, operations);
    if (isChanged) await writeToolState(tx, scope, state, now);
    return outputs;
  });
}

function checkOperations(wanted: readonly { name: string; argumentsJson: string }[]): ToolOperation[] {
  if (wanted.length > OPERATIONS_MAX)
    throw new AppError('INVALID_INPUT', `at most ${OPERATIONS_MAX} operations are allowed in one call`);
  return wanted.map(({ name, argumentsJson }) => {
    const tool = toStateTool(name);
    if (!tool) throw new AppError('INVALID_INPUT', `not a key-value or task tool: ${name}`);
    return { name: tool, argumentsJson };
  });
}
