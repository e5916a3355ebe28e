import { readRowsAsJson } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { ServiceConfig } from '../define-config.js';
import { type Command, UsageError } from './command.js';

/** A table with data of customers. */
export interface CustomerTable {
  table: string;
  /** Selects the rows of the customer `$1`. */
  sql: string;
}

/** Prints everything that the service stores about a customer, as one state of its database. */
export function exportCustomerCommand<Config extends ServiceConfig>(
  service: string,
  tables: readonly CustomerTable[],
): Command<Config> {
  return {
    arguments: 'CUSTOMER_ID',
    summary: 'prints all data that this service stores about a customer, one line of JSON per row',
    timeoutMs: 30 * 60_000,
    async run({ openPool }, { args, print, progress, signal }) {
      const [customerId = ''] = args;
      if (!isUuid(customerId)) throw new UsageError('CUSTOMER_ID: expected the UUID that Tollgate gave the customer');
      let rows = 0;
      for await (const { table, row } of readRowsAsJson(openPool({ max: 1 }), tables, customerId)) {
        signal.throwIfAborted();
        // The row is JSON already: numbers keep all their digits.
        const line = `{"service":"${service}","table":"${table}","row":${row}}`;
        await print(line, line);
        rows += 1;
      }
      progress(`${rows} rows`);
    },
  };
}
