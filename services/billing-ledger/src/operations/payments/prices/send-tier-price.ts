import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { classifyFailure, isProcessorError } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { priceRetryMs } from '../../../domain/payments/price-sync.js';
import {
  type DuePrice,
  endPriceSync,
  findDuePrice,
  noteNameSent,
  noteProduct,
  takeDuePrices,
} from '../../../store/tiers/price-sync.js';
import { requireProcessor } from '../payment-context.js';

type SendContext = Pick<Context, 'clock' | 'logger' | 'pool' | 'processor'>;

/** A request that saves a tier waits for a few calls of this time; afterwards the worker continues. */
const NOW_OPTIONS = { timeout: 4_000, maxNetworkRetries: 0 };
const BATCH_MAX = 20;
const LEASE_MS = 120_000;

/** When the worker takes a tier over from the request that saves it, for example after a crash. */
export function toTakeoverAt(nowMs: number): Date {
  return new Date(nowMs + LEASE_MS);
}

/** Returns true if the processor has archived or lost a price that it had. Without its answer, the price counts as there. */
export async function isPriceGone({ processor }: Pick<Context, 'processor'>, priceRef: string): Promise<boolean> {
  try {
    const price = await processor?.stripe.prices.retrieve(priceRef, {}, NOW_OPTIONS);
    return price?.active === false;
  } catch (error) {
    return classifyFailure(error) === 'missing';
  }
}

/** Sends the tiers that are due. Returns true if there may be more. */
export async function sendTierPrices(ctx: SendContext): Promise<boolean> {
  const due = await takeDuePrices(ctx.pool, ctx.clock.now(), toTakeoverAt(ctx.clock.nowMs()), BATCH_MAX);
  for (const id of due) await sendTierPrice(ctx, id);
  return due.length === BATCH_MAX;
}

/** Sends a saved tier at once; without an answer of the processor, the tier stays pending and the worker repeats it. */
export async function sendTierPriceNow(ctx: SendContext, id: string): Promise<void> {
  if (ctx.processor) await sendTierPrice(ctx, id, NOW_OPTIONS);
}

/** Makes the tier's product and price at the processor, or gives it the product's new name. */
async function sendTierPrice(ctx: SendContext, id: string, options: Stripe.RequestOptions = {}): Promise<void> {
  const tier = await findDuePrice(ctx.pool, id);
  if (!tier) return;
  try {
    const product = await ensureProduct(ctx, tier, options);
    if (tier.priceSync !== 'pending') return await noteNameSent(ctx.pool, tier);
    const priceRef = await makePrice(ctx, tier, product, options);
    await endPriceSync(ctx.pool, tier, { priceSync: 'ready', priceRef });
  } catch (err) {
    ctx.logger.warn({ err, tier: id }, 'price of a tier not made');
    await noteFailure(ctx, tier, err);
  }
}

async function noteFailure(ctx: SendContext, tier: DuePrice, error: unknown): Promise<void> {
  if (isRefused(error)) {
    if (tier.priceSync !== 'pending') return noteNameSent(ctx.pool, tier);
    return endPriceSync(ctx.pool, tier, { priceSync: 'failed', failure: describe(error) });
  }
  const dueAt = new Date(ctx.clock.nowMs() + priceRetryMs(tier.priceSyncAttempts));
  await endPriceSync(ctx.pool, tier, { priceSync: 'pending', failure: describe(error), dueAt });
}

/** A refusal of the key is not one of the tier: it is worth a repeat. */
function isRefused(error: unknown): boolean {
  const isOfKey =
    isProcessorError(error) && ['StripeAuthenticationError', 'StripePermissionError'].includes(error.type);
  return !isOfKey && classifyFailure(error) !== 'unknown';
}

function describe(error: unknown): string {
  if (classifyFailure(error) === 'unknown') return 'the payment processor is unavailable';
  return isRefused(error) && error instanceof Error
    ? error.message
    : 'the payment processor refuses the configured key';
}

/**
 * The product has the tier's id, so that a repeat makes no second one. Its name is what payers read at checkout. Makes another
 * one if the processor has lost it.
 */
async function ensureProduct(ctx: SendContext, tier: DuePrice, options: Stripe.RequestOptions): Promise<string> {
  const { stripe } = requireProcessor(ctx);
  const { id, displayName: name } = tier;
  if (tier.productRef !== null) {
    try {
      return (await stripe.products.update(tier.productRef, { name }, options)).id;
    } catch (error) {
      if (classifyFailure(error) !== 'missing') throw error;
    }
  }
  const productRef = `tollgate_tier_${id}`;
  try {
    await stripe.products.create({ id: productRef, name, metadata: { tier_id: id } }, options);
  } catch (error) {
    if (!isProcessorError(error) || error.code !== 'resource_already_exists') throw error;
  }
  await noteProduct(ctx.pool, id, productRef);
  return productRef;
}

/**
 * Makes the price of this version once: the processor has one price for a look-up key. Each attempt has an idempotency key of its
 * own, because the processor repeats even its own failures for a key.
 */
async function makePrice(
  ctx: SendContext,
  tier: DuePrice,
  product: string,
  options: Stripe.RequestOptions,
): Promise<string> {
  const { stripe } = requireProcessor(ctx);
  const key = `tollgate_tier_${tier.id}_v${tier.priceVersion}`;
  const find = async () => (await stripe.prices.list({ lookup_keys: [key], limit: 1 }, options)).data[0]?.id;
  const made = tier.priceSyncAttempts > 0 ? await find() : undefined;
  if (made !== undefined) return made;
  const price = {
    product,
    currency: tier.priceCurrency,
    unit_amount: Number(tier.priceAmountCents),
    recurring: { interval: tier.priceInterval },
    lookup_key: key,
    metadata: { tier_id: tier.id },
  };
  try {
    return (await stripe.prices.create(price, { ...options, idempotencyKey: `${key}_${randomUUID()}` })).id;
  } catch (error) {
    // Another attempt may have made it at the same time.
    const other = isRefused(error) ? await find() : undefined;
    if (other !== undefined) return other;
    throw error;
  }
}
