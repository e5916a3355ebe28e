import type { Context } from '../../context.js';

/** The parts of the context that operations on payments use together: no ledger writer, catalog or event transport. */
export type PaymentContext = Pick<
  Context,
  'clock' | 'config' | 'logger' | 'metrics' | 'orders' | 'pool' | 'processor' | 'relay' | 'subjects'
>;
