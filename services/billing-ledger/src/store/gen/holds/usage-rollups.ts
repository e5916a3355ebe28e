// Generated from holds/usage-rollups.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `rollups`. */
export interface AddRollupsRollupsRow {
  owner: string;
  project: string;
  customer: string;
  windowMs: bigint | number;
  key: string;
  model: string;
  requests: bigint | number;
  input: bigint | number;
  output: bigint | number;
  images: bigint | number;
  charged: bigint | number;
  provider: bigint | number;
  overrun: bigint | number;
  unreconciled: bigint | number;
}

export interface AddRollupsInput {
  rollups: readonly AddRollupsRollupsRow[];
}

const ADD_ROLLUPS = `
  INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
    input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
  SELECT owner, project, customer, to_timestamp(window_ms / 1000.0), (now() AT TIME ZONE 'UTC')::date, key, model, requests,
    input, output, images, charged, provider, overrun, unreconciled
  FROM (SELECT ($2::uuid[])[nth.i][1] AS owner, ($2::uuid[])[nth.i][2] AS project, ($2::uuid[])[nth.i][3] AS customer, ($3::bigint[])[nth.i][1] AS window_ms, ($2::uuid[])[nth.i][4] AS key, nth.model, ($3::bigint[])[nth.i][2] AS requests, ($3::bigint[])[nth.i][3] AS input, ($3::bigint[])[nth.i][4] AS output, ($3::bigint[])[nth.i][5] AS images, ($3::bigint[])[nth.i][6] AS charged, ($3::bigint[])[nth.i][7] AS provider, ($3::bigint[])[nth.i][8] AS overrun, ($3::bigint[])[nth.i][9] AS unreconciled FROM unnest($1::text[]) WITH ORDINALITY AS nth (model, i)) AS r
  ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
    requests = u.requests + excluded.requests, images = u.images + excluded.images,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    customer_microcents = u.customer_microcents + excluded.customer_microcents,
    provider_microcents = u.provider_microcents + excluded.provider_microcents,
    overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
    unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents`;

/** Adds corrections to the roll-ups of the present day (UTC). The settling statement adds its usage itself, in the same way. */
export async function addRollups(db: Queryable, input: AddRollupsInput): Promise<void> {
  await db.query({
    name: 'add_rollups',
    text: ADD_ROLLUPS,
    values: [
      textArray(input.rollups.map((r) => r.model)),
      uuidArray(input.rollups, [(r) => r.owner, (r) => r.project, (r) => r.customer, (r) => r.key]),
      bigintArray(input.rollups, [(r) => r.windowMs, (r) => r.requests, (r) => r.input, (r) => r.output, (r) => r.images, (r) => r.charged, (r) => r.provider, (r) => r.overrun, (r) => r.unreconciled]),
    ],
  });
}
