import type { ResponsesBody } from '@tollgate/api/model-requests';
import { decodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { failed, ok, type Result, type RunFailure } from '../../domain/failure.js';
import { limits } from '../../domain/limits.js';
import type { AgentNode, ModelNode } from '../../domain/plan/plan.js';
import { agentAround } from '../../domain/plan/plan-tree.js';
import { resetDelta } from '../../domain/run/run-event.js';
import { emit, failNode, waitNode } from '../../domain/run/run-transitions.js';
import { callTimeLimit, nodeTimeout } from '../../domain/run/time-limit.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import { systemPrompt, withPreamble } from '../../domain/step/agent-prompt.js';
import { bindRequest } from '../../domain/step/bind-request.js';
import { continueConversation } from '../../domain/step/conversation.js';
import { isStreamable, type ModelStep, type StepRef } from '../../domain/step/model-step.js';
import { type NextAttempt, nextAttempt } from '../../domain/step/next-attempt.js';
import { withMcpTools } from '../../domain/tools/mcp-tools.js';
import { findRoute, openCalls, type ToolCall } from '../../domain/tools/tool-calls.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { stepHoldId } from '../../domain/values/ids.js';
import { loadPreamble } from '../../store/agent-preamble.js';
import { loadMcpTools } from '../../store/artifacts.js';
import { deleteWork, insertAlarm } from '../../store/queues/run-work.js';
import { endStep, insertIntent, type Journal, type JournalRow, loadJournal } from '../../store/steps/run-steps.js';
import { loadServerResults, type ServerResults } from '../../store/steps/tool-results.js';
import { loadInputs } from '../load-inputs.js';
import type { OpenRun, RunChange } from '../run-change.js';
import { readCalls, readRounds, resultsSoFar } from './journal-rows.js';
import { schedulerLimit } from './scheduler-steps.js';

/** The next action of a node that asks a model. */
export type Move = { kind: 'call'; step: ModelStep } | { kind: 'tool'; task: ToolTask };

/**
 * Chooses the next move of a running node from its journal: an open tool call, or the next model call, whose intent it
 * writes to the journal. Returns undefined when the node now waits for its client, or has failed.
 */
export async function nextMove(change: RunChange, item: WorkItem, node: ModelNode): Promise<Move | undefined> {
  const move = await findMove(change, item, node);
  if (move.ok) return move.value;
  failNode(change.draft, node.id, move.failure);
  return undefined;
}

async function findMove(change: RunChange, item: WorkItem, node: ModelNode): Promise<Result<Move | undefined>> {
  const { tx, run, draft } = change;
  const deadlineAt = draft.nodes.get(node.id)?.deadlineAt ?? draft.now;
  const remainingMs = deadlineAt.getTime() - draft.now.getTime();
  if (remainingMs <= 0) return { ok: false, failure: nodeTimeout(draft.plan, node) };
  if (draft.lastSeq > limits.runEvents) {
    return failed('PAYLOAD_TOO_LARGE', `the run's log has more than ${limits.runEvents} events`);
  }
  const journal = await loadJournal(tx, run.runId, node.id);
  const results = await loadServerResults(tx, run.runId, node.id, journal);
  const last = journal.rows.at(-1);
  if (last?.status === 'settled') {
    const open = openCalls(readCalls(last), resultsSoFar(last, results), node);
    if (open.here) return ok({ kind: 'tool', task: toolTask(change, node, last, open.here, remainingMs) });
    if (open.client.length > 0) {
      await waitForClient(change, item, node, last, open.client);
      return ok(undefined);
    }
  }
  // An unfinished step has been counted already.
  const isNew = !last || last.status === 'settled';
  const limit = isNew ? await schedulerLimit(change, node.id) : undefined;
  return limit ? { ok: false, failure: limit } : startCall(change, item, node, journal, results, remainingMs);
}

function toolTask(
  { run, draft }: RunChange,
  node: ModelNode,
  row: JournalRow,
  open: { position: number; call: ToolCall },
  remainingMs: number,
): ToolTask {
  const limit = callTimeLimit(draft.plan, node, remainingMs);
  return {
    ref: { runId: run.runId, nodeId: node.id, step: row.step, attempt: row.attempt },
    holdId: row.holdId,
    ...open,
    principal: readPrincipal(run.principal),
    traceparent: run.traceparent ?? undefined,
    sessionId: run.sessionId,
    route: findRoute(node, open.call),
    agent: agentAround(draft.plan, node.id),
    rehearsal: draft.plan.rehearsal,
    remainingMs,
    tryMs: limit.remainingMs,
    timeout: limit.failure,
  };
}

/** Deletes the node's work row until the client answers or the alarm is due. */
async function waitForClient(
  { tx, run, draft }: RunChange,
  item: WorkItem,
  node: ModelNode,
  { step, holdId }: JournalRow,
  calls: readonly ToolCall[],
): Promise<void> {
  await deleteWork(tx, item);
  waitNode(draft, node.id, { step, request_id: holdId, pending_tool_calls: calls });
  const alarmAt = new Date(draft.now.getTime() + node.tool_limits.wait_ttl_ms);
  await insertAlarm(tx, { ...run, nodeId: node.id, kind: 'wait_deadline', at: alarmAt });
}

async function startCall(
  change: RunChange,
  item: WorkItem,
  node: ModelNode,
  journal: Journal,
  results: ServerResults,
  remainingMs: number,
): Promise<Result<Move>> {
  const { tx, run, draft } = change;
  const next = nextAttempt(journal.rows, journal.firstStep);
  const request = await buildRequest(change, node, journal.rows, results);
  await closeLostAttempt(change, node, next);
  if (next.kind === 'exhausted') return { ok: false, failure: exhausted() };
  if (!request.ok) return request;
  const ref: StepRef = { runId: run.runId, nodeId: node.id, step: next.step, attempt: next.attempt };
  const holdId = stepHoldId(run.runId, node.id, next.step, next.attempt);
  if (next.kind === 'start') await insertIntent(tx, { ...ref, holdId, at: draft.now });
  const step = toModelStep(change, node, request.value, remainingMs, {
    ref,
    holdId,
    supersedes: next.supersedes,
    // The first call of a node is admitted before its intent is in the journal.
    isResumed: next.kind === 'reuse' || (next.step === journal.firstStep && mayHaveStarted(change, item)),
    callsMade: next.step - journal.firstStep + 1,
  });
  return ok({ kind: 'call', step });
}

/** Whether an earlier holder of the work, or an earlier attempt of the node, may have started. */
function mayHaveStarted({ draft }: OpenRun, { epoch, nodeId }: WorkItem): boolean {
  return epoch > 1 || (draft.nodes.get(nodeId)?.attempt ?? 1) > 1;
}

export function toModelStep(
  { run, draft }: OpenRun,
  node: ModelNode,
  request: ResponsesBody,
  remainingMs: number,
  attempt: Pick<ModelStep, 'ref' | 'holdId' | 'supersedes' | 'isResumed' | 'callsMade'>,
): ModelStep {
  const limit = callTimeLimit(draft.plan, node, remainingMs);
  return {
    ...attempt,
    request,
    isStream: node.stream && isStreamable(request),
    principal: decodeMessage(PrincipalSchema, run.principal),
    traceparent: run.traceparent ?? undefined,
    remainingMs: limit.remainingMs,
    timeout: limit.failure,
    replayOf: draft.plan.rehearsal?.replay_of,
  };
}

/** Decoded once per run and process: every call of a run is made as the same principal. Do not change it. */
const principals = new WeakMap<Uint8Array, Principal>();

function readPrincipal(encoded: Uint8Array): Principal {
  const known = principals.get(encoded);
  if (known) return known;
  const principal = decodeMessage(PrincipalSchema, encoded);
  principals.set(encoded, principal);
  return principal;
}

/** Marks an attempt that was sent, and whose outcome is unknown, as ambiguous. Readers start over. */
async function closeLostAttempt({ tx, run, draft }: RunChange, node: ModelNode, next: NextAttempt): Promise<void> {
  if (next.kind === 'reuse') return;
  const base = { runId: run.runId, nodeId: node.id };
  if (next.lost) await endStep(tx, { ...base, ...next.lost }, { status: 'ambiguous', at: draft.now });
  if (next.kind === 'exhausted') return;
  if (next.supersedes !== undefined && node.stream) emit(draft, resetDelta(node.id));
}

export async function buildRequest(
  open: OpenRun,
  node: ModelNode,
  journal: readonly JournalRow[],
  results: ServerResults,
): Promise<Result<ResponsesBody>> {
  const read = node.bindings.map((binding) => binding.from);
  const inputs = await loadInputs(open, node.id, read);
  if (!inputs.ok) return inputs;
  const bound = bindRequest(node, inputs.value, open.run.modelOverride ?? undefined);
  if (!bound.ok) return bound;
  const offered = node.mcp_servers ? await addMcpTools(open, node, bound.value) : bound;
  if (!offered.ok) return offered;
  const request = node.type === 'agent.run' ? await addPreamble(open, node, offered.value) : offered.value;
  return ok(continueConversation(request, readRounds(journal, results)));
}

/** A replay takes its requests from the recorded run, so it has no tools of its own. */
async function addMcpTools(
  { db, run }: OpenRun,
  node: ModelNode,
  request: ResponsesBody,
): Promise<Result<ResponsesBody>> {
  const tools = await loadMcpTools(db, run.runId, node.id);
  return withMcpTools(node, request, tools ?? []);
}

/** Adds the messages that precede an agent's input: its prompt with its memory, and the context from its scheduler. */
async function addPreamble({ db, run }: OpenRun, node: AgentNode, request: ResponsesBody): Promise<ResponsesBody> {
  const { memory, context } = await loadPreamble(db, run.runId, node.id);
  return withPreamble(request, systemPrompt(node.system, memory), context);
}

function exhausted(): RunFailure {
  return { code: 'SERVICE_UNAVAILABLE', message: `the model call was interrupted ${limits.lostAttempts} times` };
}
