import { createHash } from 'node:crypto';
import { ask } from '../../clients/processor.js';
import type { Context } from '../../context.js';
import {
  findProcessorCustomer,
  keepProcessorCustomer,
  type PayerKind,
} from '../../store/payments/processor-customers.js';
import { requireProcessor } from './require-processor.js';

/** Who a customer or owner account is at the processor; made there on first use. Concurrent first uses agree. */
export async function ensureProcessorCustomer(
  ctx: Context,
  kind: PayerKind,
  refId: string,
  email?: string,
): Promise<string> {
  const known = await findProcessorCustomer(ctx.pool, kind, refId);
  if (known) return known;
  const { stripe } = requireProcessor(ctx);
  const created = await ask(
    stripe.customers.create(
      { ...(email !== undefined && { email }), metadata: { [`tollgate_${kind}`]: refId } },
      { idempotencyKey: `customer/${kind}/${refId}/${digest(email ?? '')}` },
    ),
  );
  await keepProcessorCustomer(ctx.pool, kind, refId, created.id);
  return (await findProcessorCustomer(ctx.pool, kind, refId)) ?? created.id;
}

/** Part of the key, because the processor refuses a key that comes back with other parameters. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
