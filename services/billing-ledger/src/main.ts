import { runMain } from '@tollgate/runtime';
import { serviceMain } from '@tollgate/service';
import { billingLedger } from './server.js';

await runMain(serviceMain(billingLedger));
