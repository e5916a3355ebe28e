import { underscoredToolName } from '@tollgate/tools';
import type { Context } from '../../context.js';
import type { ModelNode, Rehearsal } from '../../domain/plan/plan.js';
import { type MockedCall, mockFor, type ServedMock, type ServedMocks, serveMock } from '../../domain/tools/mocks.js';
import { afterToolFailure, failureInOutput, type ToolFailure } from '../../domain/tools/tool-failure.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { loadMockedCalls } from '../../store/tool-results.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import { settleCall } from './settle-call.js';

export type MockOutcome = { isAnswered: true; move: Move | undefined } | { isAnswered: false };

/**
 * Answers a tool call by a mock: no hook is asked and nothing is executed. What mocks have answered so far is counted under
 * the run's lock, so that no answer is given twice. Not answered: there is none left, and the run is no dry run.
 */
export async function mockCall(
  ctx: Context,
  item: WorkItem,
  node: ModelNode,
  task: ToolTask,
  { mocks, is_dry_run: isDryRun }: Rehearsal,
): Promise<MockOutcome> {
  const mocked = mockFor(mocks, task.call.name);
  if (!mocked && !isDryRun) return { isAnswered: false };
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, async (change): Promise<MockOutcome> => {
    const served = servedBy(task.call.name, await loadMockedCalls(change.tx, task.ref.runId));
    const tries = mocked ? serveTries(node, task, mocked.mock, served) : [];
    const last = tries.at(-1);
    if (last) {
      const { output, failure, key } = last;
      const facts = { attempt: tries.length, mocksServed: tries.length, mockKey: key };
      const settled = { output, failure, errorCode: failure?.code, ...facts };
      return { isAnswered: true, move: await settleCall(change, item, node, task, settled) };
    }
    if (!isDryRun) return { isAnswered: false };
    const message = `no mock answers the call of the tool ${task.call.name}`;
    const failure: ToolFailure = { code: 'TOOL_NOT_MOCKED', message, isAnswer: false };
    // Whatever the agent makes of failures, a dry run has failed.
    const end = { failure, attempt: Number.POSITIVE_INFINITY };
    return { isAnswered: true, move: await settleCall(change, item, node, task, end) };
  });
  return changed.outcome === 'done' ? changed.value : { isAnswered: true, move: undefined };
}

interface Try {
  output: string;
  failure: ToolFailure | undefined;
  key: string | null;
}

/** A mock may answer with an error, as its tool might; an agent that tries again gets the next answer, if there is one. */
function serveTries(
  node: ModelNode,
  { call }: ToolTask,
  mock: Parameters<typeof serveMock>[0],
  served: ServedMocks,
): Try[] {
  const tries: Try[] = [];
  for (;;) {
    const count = served.count + tries.length;
    const answer = serveMock(mock, call.arguments, { ...served, count });
    if (!answer) return tries;
    const attempt = tryOf(answer);
    tries.push(attempt);
    if (!attempt.failure || afterToolFailure(node, attempt.failure, tries.length) !== 'retry') return tries;
  }
}

function tryOf({ value, key }: ServedMock): Try {
  const output = JSON.stringify(value);
  return { output, key, failure: failureInOutput(output) };
}

function servedBy(name: string, calls: readonly MockedCall[]): ServedMocks {
  const own = calls.filter(({ tool }) => underscoredToolName(tool) === underscoredToolName(name));
  const keys = own.flatMap(({ key }) => (key === null ? [] : [key]));
  return { count: own.reduce((sum, { served }) => sum + served, 0), keys: new Set(keys) };
}
