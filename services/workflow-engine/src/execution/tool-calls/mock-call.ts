import { underscoredToolName } from '@tollgate/tools';
import type { Rehearsal } from '../../domain/plan/plan.js';
import { type MockedCall, mockFor, type ServedMock, type ServedMocks, serveMock } from '../../domain/tools/mocks.js';
import { afterToolFailure, failureInOutput, type ToolFailure } from '../../domain/tools/tool-failure.js';
import { writeJson } from '../../domain/values/json.js';
import { loadMockedCalls } from '../../store/steps/tool-results.js';
import { changeHeldRun } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import type { ToolRun, WorkContext } from '../work-context.js';
import { settleCall } from './settle-call.js';

export type MockOutcome = { isAnswered: true; move: Move | undefined } | { isAnswered: false };

/**
 * Answers a tool call from a mock: no hook is called and nothing is executed. The mocks' answers so far are counted
 * under the run's lock, so no answer is used twice. Returns `isAnswered: false` when no mock answers and the run is not
 * a dry run.
 */
export async function mockCall(
  ctx: WorkContext,
  run: ToolRun,
  { mocks, is_dry_run: isDryRun }: Rehearsal,
): Promise<MockOutcome> {
  const { item, task } = run;
  const mocked = mockFor(mocks, task.call.name);
  if (!mocked && !isDryRun) return { isAnswered: false };
  const outcome = await changeHeldRun(ctx, item, async (change): Promise<MockOutcome> => {
    const served = countServed(task.call.name, await loadMockedCalls(change.tx, task.ref.runId));
    const tries = mocked ? serveTries(run, mocked.mock, served) : [];
    const last = tries.at(-1);
    if (last) {
      const { output, failure, key } = last;
      const counts = { attempt: tries.length, mocksServed: tries.length, mockKey: key };
      const settled = { output, failure, errorCode: failure?.code, ...counts };
      return { isAnswered: true, move: await settleCall(change, run, settled) };
    }
    if (!isDryRun) return { isAnswered: false };
    const message = `no mock answers the call of the tool ${task.call.name}`;
    const failure: ToolFailure = { code: 'TOOL_NOT_MOCKED', message, isAnswer: false };
    // A missing mock fails a dry run under any failure policy.
    const end = { failure, attempt: Number.POSITIVE_INFINITY };
    return { isAnswered: true, move: await settleCall(change, run, end) };
  });
  return outcome ?? { isAnswered: true, move: undefined };
}

interface Try {
  output: string;
  failure: ToolFailure | undefined;
  key: string | null;
}

/** Returns the mock's answers. After an answer that is an error, an agent that retries gets the next one. */
function serveTries(
  { node, task: { call } }: ToolRun,
  mock: Parameters<typeof serveMock>[0],
  served: ServedMocks,
): Try[] {
  const tries: Try[] = [];
  for (;;) {
    const count = served.count + tries.length;
    const answer = serveMock(mock, call.arguments, { ...served, count });
    if (!answer) return tries;
    const attempt = toTry(answer);
    tries.push(attempt);
    if (!attempt.failure || afterToolFailure(node, attempt.failure, tries.length) !== 'retry') return tries;
  }
}

function toTry({ value, key }: ServedMock): Try {
  const output = writeJson(value);
  return { output, key, failure: failureInOutput(output) };
}

function countServed(name: string, calls: readonly MockedCall[]): ServedMocks {
  const own = calls.filter(({ tool }) => underscoredToolName(tool) === underscoredToolName(name));
  const keys = own.flatMap(({ key }) => (key === null ? [] : [key]));
  return { count: own.reduce((sum, { served }) => sum + served, 0), keys: new Set(keys) };
}
