import { runMain } from '@tollgate/runtime';
import { serviceMain } from '@tollgate/service';
import { gatewayInference } from './server.js';

await runMain(serviceMain(gatewayInference));
