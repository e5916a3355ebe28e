import { endpoints } from '../../server/endpoints.js';
import { compileWorkflow, getRunEventSchema, getWorkflowSchema, lintWorkflow } from './workflows.js';

export const workflowRouter = endpoints(compileWorkflow, lintWorkflow, getWorkflowSchema, getRunEventSchema);
