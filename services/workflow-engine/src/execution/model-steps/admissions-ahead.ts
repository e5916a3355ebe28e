import type { AdmissionOutcome } from '../../clients/admission.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { listAncestorIds, requireNode } from '../../domain/plan/plan-tree.js';
import { listNodesAfter } from '../../domain/run/run-tree.js';
import { nodeOutput, type ReceivedAnswer } from '../../domain/step/answer-reader.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { listToolCalls } from '../../domain/tools/tool-calls.js';
import { peekRun } from '../change-run.js';
import type { WorkContext } from '../work-context.js';
import { admit } from './admit-step.js';
import type { EarlyAdmission } from './early-admissions.js';
import { isReadyEarly, toFirstStep } from './find-first-step.js';
import { releaseIfOver } from './unused-hold.js';

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
