export { FairThread, type FairThreadOptions } from './fair-thread.js';
export { JobThread, type JobThreadOptions, ThreadBusyError, ThreadError } from './job-thread.js';
export { JsonThread } from './json-thread.js';
export { LARGE_JSON_BYTES, type LargeJson, parseLarge } from './large-json.js';
export { moduleJobs } from './module-jobs.js';
