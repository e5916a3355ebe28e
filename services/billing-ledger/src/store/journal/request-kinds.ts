/**
 * Returns the SQL condition for the journal kinds that the end of a request writes (`domain/settle-hold.ts`,
 * `operations/holds`). Transfers of all other kinds are kept: payments, grants, limits, and kinds that are added later.
 */
export function isRequestKind(column: string): string {
  return `(${column} IN ('charge_allowance', 'charge_wallet', 'key_spend', 'provider_cost', 'daily_spend', 'quota_use',
    'overrun', 'overrun_customer', 'unreconciled', 'reconciled') OR ${column} ~ '^(late|returned|superseded)_')`;
}
