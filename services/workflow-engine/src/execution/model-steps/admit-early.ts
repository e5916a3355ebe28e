import { elapsed, within } from '@tollgate/runtime';
import type { AdmissionOutcome } from '../../clients/admission.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { listAncestorIds, requireNode } from '../../domain/plan/plan-tree.js';
import { startNode } from '../../domain/run/run-transitions.js';
import { listNodesAfter, startsTimeLimits } from '../../domain/run/run-tree.js';
import { nodeOutput, type ReceivedAnswer } from '../../domain/step/answer-reader.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { listToolCalls } from '../../domain/tools/tool-calls.js';
import { type BeforeWriting, peekRun } from '../change-run.js';
import type { OpenRun } from '../run-change.js';
import type { WorkContext } from '../work-context.js';
import type { EarlyAdmission, EarlyStart } from './early-admissions.js';
import { isReadyEarly, toFirstStep } from './next-move.js';
import { admit, releaseIfOver, toDispatch } from './step-hold.js';

/** Longest time that the end of a node waits for the hold of the next one, to be committed together with its start. */
const ADMISSION_WAIT_MS = 100;

/**
 * Requests the holds of the first calls of the nodes that a transition queues, and starts those that get theirs at once in the same
 * transition: one commit has the end of a node, the start of the next one and its `dispatched`. Only of nodes whose inputs were
 * committed before: another process may repeat the transition with other outputs, and a hold of the same id must be for the same
 * request.
 */
export function admitEarly(ctx: WorkContext, ahead?: AdmissionsAhead): BeforeWriting {
  return async (open, keptIds) => {
    const nodes = keptIds.map((id) => requireNode(open.draft.plan, id)).filter((node) => isReadyEarly(open, node));
    const admissions = await Promise.all(nodes.map((node) => admitFirstStep(ctx, open, node as ModelNode, ahead)));
    const starts = await Promise.all(admissions.map((early) => early && awaitStart(ctx, early)));
    const started = starts.filter((start) => start !== undefined);
    for (const start of started) startInDraft(ctx, open, start);
    return {
      undo() {
        for (const { step } of started) ctx.earlyAdmissions.undoStart(step.ref);
      },
      end(kept) {
        const keptNow = new Set(kept.map(({ nodeId }) => nodeId));
        for (const { id } of nodes) if (!keptNow.has(id)) void leaveUnusedEarly(ctx, open.run.runId, id);
      },
    };
  };
}

/** Releases the hold that was requested early for a node that has not used it, if the node has ended. */
export async function leaveUnusedEarly(ctx: WorkContext, runId: string, nodeId: string): Promise<void> {
  const early = ctx.earlyAdmissions.take({ runId, nodeId });
  const outcome = await early?.outcome.catch(() => undefined);
  if (early && outcome?.kind === 'admitted') await releaseIfOver(ctx, early.step);
}

async function admitFirstStep(
  ctx: WorkContext,
  open: OpenRun,
  node: ModelNode,
  ahead: AdmissionsAhead | undefined,
): Promise<EarlyAdmission | undefined> {
  const early = ahead?.take(node.id) ?? (await requestEarly(ctx, open, node));
  if (early) ctx.earlyAdmissions.add(early);
  return early;
}

async function requestEarly(ctx: WorkContext, open: OpenRun, node: ModelNode): Promise<EarlyAdmission | undefined> {
  const step = await toFirstStep(open, node).catch(() => undefined); // reported when the node starts
  return step && { step, outcome: admit(ctx, step) };
}

/** Returns undefined when the step is not admitted at once: its node starts, or fails, when it runs. */
async function awaitStart(ctx: WorkContext, { step, outcome }: EarlyAdmission): Promise<EarlyStart | undefined> {
  const startedAtMs = elapsed();
  const admitted = await within(outcome, ADMISSION_WAIT_MS).catch(() => undefined);
  if (typeof admitted !== 'object' || admitted.kind !== 'admitted') return undefined;
  return { step, admitted, startedAtMs, dispatch: toDispatch(ctx, step, admitted) };
}

function startInDraft({ earlyAdmissions }: WorkContext, { draft, steps }: OpenRun, start: EarlyStart): void {
  const { ref, holdId } = start.step;
  // An alarm needs a transaction of its own.
  if (startsTimeLimits(draft, ref.nodeId)) return;
  startNode(draft, ref.nodeId);
  steps.dispatched.push({ ref, holdId, dispatch: start.dispatch });
  earlyAdmissions.start(start);
}

/**
 * Holds of the calls that follow an answer, requested while the answer is being settled, so that the ledger writes both in one
 * commit. They follow from the state that this process remembers, and nothing is written for them: the transition that
 * ends the node takes the holds of the nodes that it queues. The others are left as after a crash: the next holder of the work
 * finds them.
 */
export class AdmissionsAhead {
  readonly #ctx: WorkContext;
  readonly #runId: string;
  readonly #node: ModelNode;
  readonly #byNode = new Map<string, EarlyAdmission>();
  #callEnds: (isAnswered: boolean) => void = () => undefined;
  readonly #isAnswered = new Promise<boolean>((resolve) => {
    this.#callEnds = resolve;
  });
  #isOver = false;

  /** `node`: the node whose call is being made. */
  constructor(ctx: WorkContext, runId: string, node: ModelNode) {
    this.#ctx = ctx;
    this.#runId = runId;
    this.#node = node;
  }

  /** Call with the answer, which may turn out not to be settled. */
  request(received: ReceivedAnswer): void {
    if (listToolCalls(received.answer).length > 0 || listAncestorIds(this.#node.id).length > 0) return;
    // The transition that ends the node reports errors.
    this.#requestAll(received).catch(() => undefined);
  }

  /** `isAnswered`: the answer is settled. */
  callEnded(isAnswered: boolean): void {
    this.#callEnds(isAnswered);
  }

  /** Returns what was requested for a node. The caller is responsible for the hold then. */
  take(nodeId: string): EarlyAdmission | undefined {
    const early = this.#byNode.get(nodeId);
    this.#byNode.delete(nodeId);
    return early;
  }

  /** Releases holds that were not taken, if their nodes have ended. */
  leave(): void {
    this.#isOver = true;
    this.#callEnds(false);
    for (const early of this.#byNode.values()) void releaseUnused(this.#ctx, early);
  }

  async #requestAll(received: ReceivedAnswer): Promise<void> {
    const open = await peekRun(this.#ctx, this.#runId);
    if (!open) return;
    const { draft } = open;
    const output = nodeOutput(this.#node, received).value;
    const next = listNodesAfter(draft, this.#node.id, output).map(({ id }) => requireNode(draft.plan, id));
    const kept = next.slice(0, this.#ctx.work.countFree(next.length));
    for (const node of kept) {
      const step = isReadyEarly(open, node) ? await toFirstStep(open, node) : undefined;
      if (step && !this.#isOver) this.#byNode.set(node.id, { step, outcome: this.#admit(step) });
    }
  }

  /** A refusal is not final before the settlement, which may free funds. */
  async #admit(step: ModelStep): Promise<AdmissionOutcome> {
    const outcome = await admit(this.#ctx, step, { isTentative: true }).catch(() => undefined);
    if (outcome?.kind === 'admitted') return outcome;
    if (await this.#isAnswered) return admit(this.#ctx, step);
    throw new Error('the call did not end with its answer');
  }
}

async function releaseUnused(ctx: WorkContext, { step, outcome }: EarlyAdmission): Promise<void> {
  const admitted = await outcome.catch(() => undefined);
  if (admitted?.kind === 'admitted') await releaseIfOver(ctx, step);
}
