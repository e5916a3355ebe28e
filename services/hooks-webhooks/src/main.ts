import { runMain } from '@tollgate/service';
import { hooksWebhooks } from './server.js';

await runMain(hooksWebhooks);
