import { elapsed, within } from '@tollgate/runtime';
import type { ModelNode } from '../../domain/plan/plan.js';
import { requireNode } from '../../domain/plan/plan-tree.js';
import { startNode } from '../../domain/run/run-transitions.js';
import { startsTimeLimits } from '../../domain/run/start-collecting.js';
import type { BeforeWriting } from '../change-run.js';
import type { OpenRun } from '../run-change.js';
import type { WorkContext } from '../work-context.js';
import type { AdmissionsAhead } from './admissions-ahead.js';
import { admit } from './admit-step.js';
import type { EarlyAdmission, EarlyStart } from './early-admissions.js';
import { isReadyEarly, toFirstStep } from './find-first-step.js';
import { toDispatch } from './to-dispatch.js';
import { releaseIfOver } from './unused-hold.js';

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
