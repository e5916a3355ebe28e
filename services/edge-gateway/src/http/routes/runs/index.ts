import { endpoints } from '../../server/endpoints.js';
import { cancelRun, createRun, getRun, listRunSteps, listRuns, listRunTasks, streamRunEvents } from './runs.js';
import { listPendingTools, submitToolResults } from './tools.js';

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
