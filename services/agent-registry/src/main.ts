import { runMain } from '@tollgate/service';
import { agentRegistry } from './server.js';

await runMain(agentRegistry);
