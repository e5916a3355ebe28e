export {
  FairThread,
  type FairThreadOptions,
  type JobModule,
  JobThread,
  type JobThreadOptions,
  ThreadBusyError,
  ThreadError,
} from './job-thread.js';
export { JsonThread, LARGE_JSON_BYTES, type LargeJson, parseLarge } from './json-thread.js';
