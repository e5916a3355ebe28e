import { runMain } from '@tollgate/service';
import { edgeGateway } from './server.js';

await runMain(edgeGateway);
