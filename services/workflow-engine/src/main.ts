import { runMain } from '@tollgate/service';
import { workflowEngine } from './server.js';

await runMain(workflowEngine);
