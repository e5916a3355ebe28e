import type { Route } from '../../exchange/route.js';
import { compileWorkflow } from './compile-workflow.js';
import { getRunEventSchema } from './get-run-event-schema.js';
import { getWorkflowSchema } from './get-workflow-schema.js';
import { lintWorkflow } from './lint-workflow.js';

export const workflowRoutes: Route[] = [compileWorkflow, lintWorkflow, getWorkflowSchema, getRunEventSchema];
