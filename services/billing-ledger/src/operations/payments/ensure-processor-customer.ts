import { createHash } from 'node:crypto';
import { ask, askForMaybe } from '../../clients/processor.js';
import type { Context } from '../../context.js';
import {
  findProcessorCustomer,
  keepProcessorCustomer,
  type PayerKind,
  replaceProcessorCustomer,
} from '../../store/payments/processor-customers.js';
import { requireProcessor } from './payment-context.js';

/**
 * Returns the processor's customer for a customer or owner account; creates it on first use, once under concurrency. Creates
 * another one if it was deleted at the processor.
 */
export async function ensureProcessorCustomer(
  ctx: Pick<Context, 'pool' | 'processor'>,
  kind: PayerKind,
  refId: string,
  email?: string,
): Promise<string> {
  const { stripe } = requireProcessor(ctx);
  const known = await findProcessorCustomer(ctx.pool, kind, refId);
  if (known) {
    const found = await askForMaybe(stripe.customers.retrieve(known));
    if (found && !found.deleted) return known;
  }
  const created = await ask(
    stripe.customers.create(
      { ...(email !== undefined && { email }), metadata: { [`tollgate_${kind}`]: refId } },
      { idempotencyKey: `customer/${kind}/${refId}/${digest(`${email ?? ''}${known ?? ''}`)}` },
    ),
  );
  if (known) await replaceProcessorCustomer(ctx.pool, known, created.id);
  else await keepProcessorCustomer(ctx.pool, { kind, refId, processorCustomerId: created.id, email });
  return (await findProcessorCustomer(ctx.pool, kind, refId)) ?? created.id;
}

/** Makes the email and the deleted customer part of the idempotency key: the processor rejects a key that is reused with other parameters. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
