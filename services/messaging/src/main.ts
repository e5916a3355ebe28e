import { runMain } from '@tollgate/runtime';
import { serviceMain } from '@tollgate/service';
import { messaging } from './server.js';

await runMain(serviceMain(messaging));
