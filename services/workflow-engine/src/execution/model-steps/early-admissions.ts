import { LRUCache } from 'lru-cache';
import type { AdmissionOutcome, AdmittedStep } from '../../clients/admission.js';
import type { ModelStep, StepRef } from '../../domain/step/model-step.js';
import type { Dispatch } from '../../store/steps/run-steps.js';

export interface EarlyAdmission {
  step: ModelStep;
  outcome: Promise<AdmissionOutcome>;
}

/** A first step that the transition before its node has committed as dispatched. */
export interface EarlyStart {
  step: ModelStep;
  admitted: AdmittedStep;
  dispatch: Dispatch;
  startedAtMs: number;
}

/** More than the slots of a process. */
const ADMISSIONS_MAX = 2_000;

/** Admissions of first steps that were requested before their nodes were queued, and steps that were started then. */
export class EarlyAdmissions {
  readonly #admissions = new LRUCache<string, EarlyAdmission>({ max: ADMISSIONS_MAX });
  readonly #started = new Map<string, EarlyStart>();

  add(early: EarlyAdmission): void {
    // Reported to the node that takes it.
    early.outcome.catch(() => undefined);
    this.#admissions.set(toKey(early.step.ref), early);
  }

  take(node: NodeRef): EarlyAdmission | undefined {
    const key = toKey(node);
    const early = this.#admissions.get(key);
    this.#admissions.delete(key);
    return early;
  }

  /** Call before the transition is written that starts the step. */
  start(start: EarlyStart): void {
    this.#started.set(toKey(start.step.ref), start);
  }

  /** Call when that transition was not written: the step has not started. */
  undoStart(node: NodeRef): void {
    this.#started.delete(toKey(node));
  }

  takeStart(node: NodeRef): EarlyStart | undefined {
    const key = toKey(node);
    const start = this.#started.get(key);
    this.#started.delete(key);
    if (start) this.#admissions.delete(key);
    return start;
  }
}

type NodeRef = Pick<StepRef, 'runId' | 'nodeId'>;

function toKey({ runId, nodeId }: NodeRef): string {
  return `${runId} ${nodeId}`;
}
