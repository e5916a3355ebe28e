import { runMain } from '@tollgate/runtime';
import { serviceMain } from '@tollgate/service';
import { edgeGateway } from './server.js';

await runMain(serviceMain(edgeGateway));
