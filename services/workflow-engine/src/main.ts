import { runMain } from '@tollgate/runtime';
import { serviceMain } from '@tollgate/service';
import { workflowEngine } from './server.js';

await runMain(serviceMain(workflowEngine));
