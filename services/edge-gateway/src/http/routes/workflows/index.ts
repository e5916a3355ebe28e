import { endpoints } from '../../server/endpoints.js';
import { compileWorkflow } from './compile-workflow.js';
import { getRunEventSchema } from './get-run-event-schema.js';
import { getWorkflowSchema } from './get-workflow-schema.js';
import { lintWorkflow } from './lint-workflow.js';

export const workflowRouter = endpoints(compileWorkflow, lintWorkflow, getWorkflowSchema, getRunEventSchema);
