const TEXTS: Readonly<Record<string, string>> = {
  top_up: 'Top-ups',
  promo: 'Promotional credit',
  adjustment: 'Adjustments',
  refund: 'Refunds to cards',
  refund_failed: 'Refunds that banks returned',
  dispute: 'Disputed payments',
  dispute_won: 'Disputes won',
  credit_withdrawn: 'Granted credit withdrawn',
  charge: 'Usage',
  tool_fee: "Fees of the providers' tools",
  charge_returned: 'Usage returned',
  forfeited: 'Forfeited by deleted customers',
  forfeit_returned: 'Forfeits returned',
  written_off: 'Debts of deleted customers',
  write_off_returned: 'Debts repaid',
  promo_returned: 'Promotional credit of deleted customers',
};

/** Names a line of a statement; a kind that is added later is shown as the API names it. */
export function describeLine(kind: string): string {
  return TEXTS[kind] ?? kind.replaceAll('_', ' ');
}
