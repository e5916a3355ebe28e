import { runMain } from '@tollgate/service';
import { billingLedger } from './server.js';

await runMain(billingLedger);
