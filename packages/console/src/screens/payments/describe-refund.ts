import type { Refund } from '../../api/types.js';

/** Describes the state of a refund that was requested. It may fail later, so no state says that the card has the money. */
export function describeRefund({ status, failure }: Pick<Refund, 'status' | 'failure'>): string {
  if (status !== 'failed') return 'Refund requested';
  return `The refund has failed${failure ? ` (${failure})` : ''}. The money is in the wallet again.`;
}
