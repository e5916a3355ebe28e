export {
  ADMISSION_TIMEOUT_MS,
  type AdmitInput,
  type Admitted,
  admit,
  type Ended,
  type Outcome,
  type Refused,
  type RequestExtras,
  toExtras,
} from './admit.js';
export { classify, type Fate } from './classify.js';
export { estimate } from './estimate.js';
export {
  createLedger,
  type HoldRef,
  type Ledger,
  type ReleaseInfo,
  type ReleaseReason,
  release,
  releaseOnce,
  supersede,
} from './ledger.js';
export { namesUnknownModel, refusal, unknownModel } from './refusal.js';
export { underHold } from './under-hold.js';
