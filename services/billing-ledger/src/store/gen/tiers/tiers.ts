// Generated from tiers/tiers.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, binaryArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `models`. */
export interface PutTierModelsModelsRow {
  id: string;
  modelId: string;
  inputPrice: bigint | number;
  outputPrice: bigint | number;
  imagePrice: bigint | number | null | undefined;
  cachedPrice: bigint | number | null | undefined;
  feeMarkup: string | null | undefined;
  isDefault: boolean;
}

export interface PutTierModelsInput {
  tierId: string;
  models: readonly PutTierModelsModelsRow[];
}

const PUT_TIER_MODELS = `
  INSERT INTO tier_models (id, tier_id, model_id, input_price_per_million_cents, output_price_per_million_cents,
    price_per_image_cents, is_default, fee_markup_percentage, cached_input_price_per_million_cents)
  SELECT id, $1, model_id, input_price, output_price, image_price, is_default, fee_markup, cached_price
  FROM (SELECT ($7::uuid[])[nth.i] AS id, nth.model_id, ($8::bigint[])[nth.i][1] AS input_price, ($8::bigint[])[nth.i][2] AS output_price, nth.image_price, nth.cached_price, nth.fee_markup::float8 AS fee_markup, nth.is_default FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bool[]) WITH ORDINALITY AS nth (model_id, image_price, cached_price, fee_markup, is_default, i)) AS m
  ON CONFLICT (tier_id, model_id) DO UPDATE SET
    input_price_per_million_cents = excluded.input_price_per_million_cents,
    output_price_per_million_cents = excluded.output_price_per_million_cents,
    price_per_image_cents = excluded.price_per_image_cents, is_default = excluded.is_default,
    fee_markup_percentage = excluded.fee_markup_percentage,
    cached_input_price_per_million_cents = excluded.cached_input_price_per_million_cents, updated_at = now()`;

/** Writes the models of a tier; models that remain keep their id and creation time. */
export async function putTierModels(db: Queryable, input: PutTierModelsInput): Promise<void> {
  await db.query({
    name: 'put_tier_models',
    text: PUT_TIER_MODELS,
    values: [
      input.tierId,
      textArray(input.models.map((r) => r.modelId)),
      binaryArray('bigint', input.models.map((r) => r.imagePrice)),
      binaryArray('bigint', input.models.map((r) => r.cachedPrice)),
      textArray(input.models.map((r) => r.feeMarkup)),
      binaryArray('bool', input.models.map((r) => r.isDefault)),
      uuidArray(input.models, [(r) => r.id]),
      bigintArray(input.models, [(r) => r.inputPrice, (r) => r.outputPrice]),
    ],
  });
}
