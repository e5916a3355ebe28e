import { type Commands, exportCustomerCommand } from '@tollgate/service';
import type { Config } from '../config.js';
import { CUSTOMER_TABLES } from '../store/customer-export.js';

/** The tasks that an operator runs in the image of this service. */
export const commands: Commands<Config> = {
  'export-customer': exportCustomerCommand('messaging', CUSTOMER_TABLES),
};
