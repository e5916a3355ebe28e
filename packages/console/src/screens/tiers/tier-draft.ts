import type { Tier } from '../../api/types.js';
import { readCents, toAmount } from '../../format/money.js';
import { toSlug } from '../../format/slug.js';

/** A model of a tier as it is edited. Prices are in currency units per million tokens; empty = the catalog's, with the markup. */
export interface ModelDraft {
  modelId: string;
  isDefault: boolean;
  input: string;
  /** Of input that the provider reads from its cache; empty = the price of input. */
  cached: string;
  output: string;
  image: string;
}

/** A tier as it is edited: fields as they are typed. */
export interface TierDraft {
  code: string;
  name: string;
  mode: 'subscription' | 'paygo';
  /** Empty = unlimited. */
  spendLimit: string;
  /** Empty = free. */
  price: string;
  /** Lower-case code of the price. */
  currency: string;
  interval: 'month' | 'year';
  /** Whether the payment processor charges the price. */
  isCharged: boolean;
  /** Of the processor; empty = Tollgate makes the price there. */
  priceRef: string;
  ratePerMinute: string;
  allowsOverage: boolean;
  isDefault: boolean;
  /** Empty = as `proposeVisibility` says. */
  visibility: '' | 'portal' | 'link' | 'private';
  /** Lists begin with the lowest. */
  sortOrder: string;
  /** One to a line. */
  features: string;
  /** Empty = none. */
  group: string;
  allowsPromotionCodes: boolean;
  models: readonly ModelDraft[];
}

export function newTier(): TierDraft {
  return {
    ...{
      code: '',
      name: '',
      mode: 'subscription',
      spendLimit: '5.00',
      price: '',
      currency: 'usd',
      interval: 'month',
      isCharged: true,
      priceRef: '',
    },
    ...{ ratePerMinute: '', allowsOverage: false, isDefault: false, models: [] },
    ...{ visibility: '', sortOrder: '', features: '', group: '', allowsPromotionCodes: false },
  };
}

export function toDraft(tier: Tier): TierDraft {
  return {
    code: tier.tier_code,
    name: tier.display_name,
    mode: tier.billing_mode,
    spendLimit: toField(tier.spend_limit_cents),
    price: toField(tier.price_amount_cents, tier.price_currency),
    currency: tier.price_currency ?? 'usd',
    interval: tier.price_interval === 'year' ? 'year' : 'month',
    isCharged: (tier.billing_provider ?? 'stripe') === 'stripe',
    priceRef: tier.price_sync === undefined ? (tier.billing_price_ref ?? '') : '',
    ratePerMinute: tier.rate_limit_per_minute === undefined ? '' : String(tier.rate_limit_per_minute),
    allowsOverage: tier.overage_enabled,
    isDefault: tier.is_default,
    visibility: tier.visibility,
    sortOrder: tier.sort_order === 0 ? '' : String(tier.sort_order),
    features: tier.features.join('\n'),
    group: tier.group ?? '',
    allowsPromotionCodes: tier.allow_promotion_codes,
    models: tier.models.map((model) => ({
      modelId: model.model_id,
      isDefault: model.is_default,
      input: toField(model.input_price_per_million_cents),
      cached: toField(model.cached_input_price_per_million_cents),
      output: toField(model.output_price_per_million_cents),
      image: toField(model.price_per_image_cents),
    })),
  };
}

/** Changes the name of a new tier, and its code unless another one was typed: `Team, yearly` → `team-yearly`. */
export function rename({ name: before, code }: TierDraft, name: string): Pick<TierDraft, 'name' | 'code'> {
  return { name, code: code === toCode(before) ? toCode(name) : code };
}

/** Returns who can choose the tier; if nothing is said, every customer, unless it is a free one, which is rarely for sale. */
export function proposeVisibility({ visibility, mode, price }: TierDraft): 'portal' | 'link' | 'private' {
  if (visibility !== '') return visibility;
  return mode === 'paygo' || price !== '' ? 'portal' : 'private';
}

/** The body of a request that creates the tier. */
export function toTierBody(draft: TierDraft): Record<string, unknown> {
  const price = readCents(draft.price, draft.currency);
  const isPaygo = draft.mode === 'paygo';
  const isPriced = !isPaygo && price !== undefined;
  const features = draft.features.split('\n').flatMap((line) => line.trim() || []);
  return {
    tier_code: draft.code,
    display_name: draft.name,
    billing_mode: draft.mode,
    ...(!isPaygo && { spend_limit_cents: readCents(draft.spendLimit) ?? null, overage_enabled: draft.allowsOverage }),
    ...(isPriced && {
      price_amount_cents: price,
      price_currency: draft.currency,
      price_interval: draft.interval,
      billing_provider: draft.isCharged ? 'stripe' : 'external',
      ...(draft.isCharged && draft.priceRef !== '' && { billing_price_ref: draft.priceRef }),
    }),
    visibility: proposeVisibility(draft),
    ...(draft.sortOrder !== '' && { sort_order: Number(draft.sortOrder) }),
    ...(features.length > 0 && { features }),
    ...(draft.group !== '' && { group: draft.group }),
    ...(isPriced && draft.allowsPromotionCodes && { allow_promotion_codes: true }),
    ...(draft.ratePerMinute !== '' && { rate_limit_per_minute: Number(draft.ratePerMinute) }),
    is_default: draft.isDefault,
    models: draft.models.map(toModelBody),
  };
}

/** The body of a request that changes a tier: what the draft leaves empty is removed. */
export function toTierUpdate(draft: TierDraft): Record<string, unknown> {
  const { tier_code: _code, ...body } = toTierBody(draft);
  const removed = {
    ...(draft.mode === 'subscription' && !('price_amount_cents' in body) && { price_amount_cents: null }),
    ...(draft.ratePerMinute === '' && { rate_limit_per_minute: null }),
    ...(!('sort_order' in body) && { sort_order: 0 }),
    ...(!('features' in body) && { features: [] }),
    ...(draft.group === '' && { group: null }),
    ...(!('allow_promotion_codes' in body) && { allow_promotion_codes: false }),
    ...('price_amount_cents' in body && draft.isCharged && draft.priceRef === '' && { billing_price_ref: null }),
  };
  return { ...body, ...removed };
}

function toModelBody({ modelId, isDefault, input, cached, output, image }: ModelDraft): Record<string, unknown> {
  const prices = [
    ['input_price_per_million_cents', readCents(input)],
    ['cached_input_price_per_million_cents', readCents(cached)],
    ['output_price_per_million_cents', readCents(output)],
    ['price_per_image_cents', readCents(image)],
  ] as const;
  const given = prices.filter(([, cents]) => cents !== undefined);
  return { model_id: modelId, is_default: isDefault, ...Object.fromEntries(given) };
}

/** Codes begin with a letter. */
function toCode(name: string): string {
  return toSlug(name).replace(/^[^a-z]+/, '');
}

function toField(cents: number | null | undefined, currency?: string): string {
  return cents == null ? '' : toAmount(cents, currency);
}
