import type { ResponsesBody } from '@tollgate/api/model-requests';
import { decodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { failed, ok, type Result, type RunFailure } from '../../domain/failure.js';
import { limits } from '../../domain/limits.js';
import { type AgentNode, isModelNode, type ModelNode, type PlanNode } from '../../domain/plan/plan.js';
import { agentAround, listAncestorIds, requireNode } from '../../domain/plan/plan-tree.js';
import { isNodeReference } from '../../domain/plan/references.js';
import { resetDelta } from '../../domain/run/run-event.js';
import { emit, failNode, waitNode } from '../../domain/run/run-transitions.js';
import { callTimeLimit, limitReached, nodeTimeout, nodeTimeoutMs } from '../../domain/run/time-limit.js';
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
import {
  countSteps,
  endStep,
  insertIntent,
  type Journal,
  type JournalRow,
  loadJournal,
} from '../../store/steps/run-steps.js';
import { loadServerResults, type ServerResults } from '../../store/steps/tool-results.js';
import { peekRun } from '../change-run.js';
import { loadInputs } from '../outputs.js';
import type { OpenRun, RunChange } from '../run-change.js';
import type { NodeRun, WorkContext } from '../work-context.js';
import { readCalls, readRounds, resultsSoFar } from './journal-rows.js';

/** A node and its work, as the decision needs them. */
type HeldNode = Pick<NodeRun, 'item' | 'node'>;

/** The next action of a node that asks a model. */
export type Move = { kind: 'call'; step: ModelStep } | { kind: 'tool'; task: ToolTask };

/**
 * Chooses the next move of a running node from its journal: an open tool call, or the next model call, whose intent it
 * writes to the journal. Returns undefined when the node now waits for its client, or has failed.
 */
export async function nextMove(change: RunChange, run: HeldNode): Promise<Move | undefined> {
  const { node } = run;
  const move = await findMove(change, run);
  if (move.ok) return move.value;
  failNode(change.draft, node.id, move.failure);
  return undefined;
}

/**
 * Returns the first model call of a node that has never started, if that is known without a query. Its hold is taken
 * before anything is in the journal: the hold's id is derived, so the next holder of the work finds the hold.
 */
export async function findFirstStep(ctx: WorkContext, { item, node }: HeldNode): Promise<ModelStep | undefined> {
  if (item.epoch > 1 || node.type === 'agent.run') return undefined;
  const open = await peekRun(ctx, item.runId);
  return open && toFirstStep(open, node);
}

/** Returns the first model call of a node, if the node has never started and the call is known without a query. */
export async function toFirstStep(open: OpenRun, node: ModelNode): Promise<ModelStep | undefined> {
  if (!isFirst(open, node)) return undefined;
  const { runId } = open.run;
  const request = await buildRequest(open, node, [], new Map());
  if (!request.ok) return undefined;
  return toModelStep(open, node, {
    request: request.value,
    remainingMs: nodeTimeoutMs(open.draft.plan, node),
    ref: { runId, nodeId: node.id, step: 0, attempt: 1 },
    holdId: stepHoldId(runId, node.id, 0, 1),
    supersedes: undefined,
    isResumed: false,
    callsMade: 1,
  });
}

/** Whether the first call of the node reads only outputs that were committed before, and that need no query. */
export function isReadyEarly({ stored }: Pick<OpenRun, 'stored'>, node: PlanNode): node is ModelNode {
  if (!isModelNode(node) || node.type === 'agent.run' || listAncestorIds(node.id).length > 0) return false;
  return node.bindings.every(({ from }) => !isNodeReference(from) || stored.has(from));
}

function isFirst({ draft }: OpenRun, { id, mcp_servers: servers }: ModelNode): boolean {
  // The tools of MCP servers are listed and stored before the first call.
  if (servers) return false;
  const { plan, nodes, lastSeq } = draft;
  const state = nodes.get(id);
  if (state?.status !== 'pending' || state.attempt > 1 || plan.rehearsal || lastSeq > limits.runEvents) return false;
  // The steps below a scheduler are counted under the run's lock.
  return listAncestorIds(id).every((ancestor) => requireNode(plan, ancestor).type !== 'agent.scheduler');
}

async function findMove(change: RunChange, { item, node }: HeldNode): Promise<Result<Move | undefined>> {
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
    if (open.here) return ok({ kind: 'tool', task: toolTask(change, node, { row: last, remainingMs, ...open.here }) });
    if (open.client.length > 0) {
      await waitForClient(change, { item, node }, last, open.client);
      return ok(undefined);
    }
  }
  // An unfinished step has been counted already.
  const isNew = !last || last.status === 'settled';
  const limit = isNew ? await schedulerLimit(change, node.id) : undefined;
  if (limit) return { ok: false, failure: limit };
  return startCall(change, { item, node }, { journal, results, remainingMs });
}

function toolTask(
  { run, draft }: RunChange,
  node: ModelNode,
  { row, remainingMs, ...open }: { row: JournalRow; remainingMs: number; position: number; call: ToolCall },
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
  { item, node }: HeldNode,
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
  { item, node }: HeldNode,
  { journal, results, remainingMs }: { journal: Journal; results: ServerResults; remainingMs: number },
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
  const step = toModelStep(change, node, {
    request: request.value,
    remainingMs,
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

function toModelStep(
  { run, draft }: OpenRun,
  node: ModelNode,
  /** `remainingMs` is the node's. */
  attempt: Pick<ModelStep, 'ref' | 'holdId' | 'supersedes' | 'isResumed' | 'request' | 'callsMade' | 'remainingMs'>,
): ModelStep {
  const limit = callTimeLimit(draft.plan, node, attempt.remainingMs);
  return {
    ...attempt,
    isStream: node.stream && isStreamable(attempt.request),
    principal: readPrincipal(run.principal),
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

async function buildRequest(
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

/**
 * Returns why a node below a scheduler must not make another model call. Steps are counted under the run's lock, so the
 * limit is exact.
 */
async function schedulerLimit({ tx, run, draft }: RunChange, nodeId: string): Promise<RunFailure | undefined> {
  for (const id of listAncestorIds(nodeId)) {
    const node = requireNode(draft.plan, id);
    if (node.type !== 'agent.scheduler') continue;
    const { max_steps: max } = node.policy;
    if ((await countSteps(tx, run.runId, id)) >= max) return limitReached(`the scheduler's ${max} steps are used up`);
  }
  return undefined;
}
