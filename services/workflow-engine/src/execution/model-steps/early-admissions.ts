import { LRUCache } from 'lru-cache';
import type { AdmissionOutcome, AdmittedStep } from '../../clients/admission.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import type { Dispatch } from '../../store/run-steps.js';

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
  readonly #byHold = new LRUCache<string, EarlyAdmission>({ max: ADMISSIONS_MAX });
  readonly #started = new Map<string, EarlyStart>();

  add(early: EarlyAdmission): void {
    // Reported to the node that takes it.
    early.outcome.catch(() => undefined);
    this.#byHold.set(early.step.holdId, early);
  }

  take(holdId: string): EarlyAdmission | undefined {
    const early = this.#byHold.get(holdId);
    this.#byHold.delete(holdId);
    return early;
  }

  /** Call before the transition is written that starts the step. */
  start(start: EarlyStart): void {
    this.#started.set(start.step.holdId, start);
  }

  /** Call when that transition was not written: the step has not started. */
  undoStart(holdId: string): void {
    this.#started.delete(holdId);
  }

  takeStart(holdId: string): EarlyStart | undefined {
    const start = this.#started.get(holdId);
    this.#started.delete(holdId);
    if (start) this.#byHold.delete(holdId);
    return start;
  }
}
