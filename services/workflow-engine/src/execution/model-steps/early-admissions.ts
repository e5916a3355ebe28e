import { LRUCache } from 'lru-cache';
import type { AdmissionOutcome } from '../../clients/admission.js';
import type { ModelStep } from '../../domain/step/model-step.js';

export interface EarlyAdmission {
  step: ModelStep;
  outcome: Promise<AdmissionOutcome>;
}

/** More than the slots of a process. */
const ADMISSIONS_MAX = 2_000;

/** Admissions of first steps that were requested before their nodes were queued. */
export class EarlyAdmissions {
  readonly #byHold = new LRUCache<string, EarlyAdmission>({ max: ADMISSIONS_MAX });

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
}
