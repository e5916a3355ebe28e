import { runMain } from '@tollgate/runtime';
import { serviceMain } from '@tollgate/service';
import { agentRegistry } from './server.js';

await runMain(serviceMain(agentRegistry));
