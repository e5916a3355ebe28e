import { runMain } from '@tollgate/service';
import { messaging } from './server.js';

await runMain(messaging);
