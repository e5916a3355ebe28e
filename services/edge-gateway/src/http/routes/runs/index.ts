import { endpoints } from '../../server/endpoints.js';
import { cancelRun } from './cancel-run.js';
import { createRun } from './create-run.js';
import { getRun } from './get-run.js';
import { listPendingTools } from './list-pending-tools.js';
import { listRunSteps } from './list-run-steps.js';
import { listRunTasks } from './list-run-tasks.js';
import { listRuns } from './list-runs.js';
import { streamRunEvents } from './stream-run-events.js';
import { submitToolResults } from './submit-tool-results.js';

export const runRouter = endpoints(
  createRun,
  listRuns,
  getRun,
  streamRunEvents,
  cancelRun,
  listPendingTools,
  submitToolResults,
  listRunSteps,
  listRunTasks,
);
