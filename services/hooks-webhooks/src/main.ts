import { runMain } from '@tollgate/runtime';
import { serviceMain } from '@tollgate/service';
import { hooksWebhooks } from './server.js';

await runMain(serviceMain(hooksWebhooks));
