/**
 * SQL condition for the journal kinds that the end of a request writes (`domain/settle-hold.ts`, `operations/holds`). Every
 * other kind, now or later, counts as a payment, a grant or a limit, which are kept.
 */
export function isRequestKind(column: string): string {
  return `(${column} IN ('charge_allowance', 'charge_wallet', 'key_spend', 'provider_cost', 'daily_spend', 'quota_use',
    'overrun', 'overrun_customer', 'unreconciled', 'reconciled') OR ${column} ~ '^(late|returned|superseded)_')`;
}
