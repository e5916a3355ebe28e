import type { ResponseResource } from '@tollgate/api';
import { invariant } from '@tollgate/errors';
import type { Round } from '../../domain/step/conversation.js';
import { resultsInOrder, type ToolCall, type ToolResult, toolCallsOf } from '../../domain/tools/tool-calls.js';
import type { JournalRow } from '../../store/run-steps.js';
import type { ServerResults } from '../../store/tool-results.js';

/** The tool calls that a step's answer makes. */
export function callsOf({ llmResponse }: Pick<JournalRow, 'llmResponse'>): ToolCall[] {
  return llmResponse === null ? [] : toolCallsOf(JSON.parse(llmResponse) as ResponseResource);
}

/** What was answered to them so far. */
export function givenTo(row: JournalRow, results: ServerResults) {
  const client = row.clientResults === null ? [] : (JSON.parse(row.clientResults) as ToolResult[]);
  return { server: results.get(row.step) ?? new Map<number, ToolResult>(), client };
}

/** The rounds of the conversation so far. */
export function roundsOf(journal: readonly JournalRow[], results: ServerResults): Round[] {
  return journal.flatMap((row) => roundOf(row, results));
}

function roundOf(row: JournalRow, results: ServerResults): Round[] {
  if (row.status !== 'settled' || row.llmResponse === null) return [];
  const answer = JSON.parse(row.llmResponse) as ResponseResource;
  const given = resultsInOrder(toolCallsOf(answer), givenTo(row, results));
  invariant(!given.includes(undefined), 'a settled step is followed only when its tool calls were answered');
  return [{ answer, results: given as ToolResult[] }];
}
