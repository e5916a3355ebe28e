import { runMain } from '@tollgate/service';
import { gatewayInference } from './server.js';

await runMain(gatewayInference);
