import type { ResponseResource } from '@tollgate/api/model-requests';
import { invariant } from '@tollgate/errors';
import type { Round } from '../../domain/step/conversation.js';
import {
  type CallResults,
  listToolCalls,
  resultsInOrder,
  type ToolCall,
  type ToolResult,
} from '../../domain/tools/tool-calls.js';
import type { JournalRow } from '../../store/steps/run-steps.js';
import type { ServerResults } from '../../store/steps/tool-results.js';

/** Returns the tool calls of a step's answer. */
export function readCalls({ llmResponse }: Pick<JournalRow, 'llmResponse'>): ToolCall[] {
  return llmResponse === null ? [] : listToolCalls(JSON.parse(llmResponse) as ResponseResource);
}

/** Returns the results of a step's tool calls so far. */
export function resultsSoFar(row: JournalRow, results: ServerResults): CallResults {
  const client = row.clientResults === null ? [] : (JSON.parse(row.clientResults) as ToolResult[]);
  return { server: results.get(row.step) ?? new Map<number, ToolResult>(), client };
}

/** Returns the rounds of the conversation so far. */
export function readRounds(journal: readonly JournalRow[], results: ServerResults): Round[] {
  return journal.flatMap((row) => readRound(row, results));
}

function readRound(row: JournalRow, results: ServerResults): Round[] {
  if (row.status !== 'settled' || row.llmResponse === null) return [];
  const answer = JSON.parse(row.llmResponse) as ResponseResource;
  const answered = resultsInOrder(listToolCalls(answer), resultsSoFar(row, results));
  invariant(!answered.includes(undefined), 'every tool call of a settled step is answered before the next step');
  return [{ answer, results: answered as ToolResult[] }];
}
