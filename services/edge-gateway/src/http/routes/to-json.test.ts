import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from '@jest/globals';
import { tierSchema } from '@tollgate/api/billing';
import { toolHookEventSchema, toolHookSchema } from '@tollgate/api/hooks';
import { TierModelSchema, TierSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { ToolHookSchema } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { z } from 'zod';
import { tierJson } from './tiers/tier-json.js';
import { toJson } from './to-json.js';

const at = timestampFromDate(new Date('2026-11-30T12:00:00.500Z'));
const AT = '2026-11-30T12:00:00.500Z';

it('writes the fields that the schema names, in its order, and no other', () => {
  const hook = create(ToolHookSchema, {
    id: 'h',
    projectId: 'p',
    hookType: 'tool_execute',
    timeoutMs: 7,
    createdAt: at,
  });
  const json = toJson(toolHookSchema, { ...hook, secret: 'unseen' }, {});
  expect(JSON.stringify(json)).toBe(
    `{"id":"h","project_id":"p","hook_type":"tool_execute","endpoint_url":"","enabled":false,"timeout_ms":7,` +
      `"fail_behavior":"","tools_allowlist":[],"allow_mutation":false,"created_at":"${AT}"}`,
  );
  expect(Object.keys(json)).toEqual(Object.keys(toolHookSchema.shape));
});

it('leaves an empty text out where its member is optional, and keeps numbers of 64 bits as numbers', () => {
  const schema = z.object({ a: z.string(), b: z.string().optional(), some_count: z.int(), c: z.string().optional() });
  expect(toJson(schema, { a: '', b: '', someCount: 12n, c: 'x' }, {})).toEqual({ a: '', some_count: 12, c: 'x' });
});

it('takes the members that are given instead of the fields of their name', () => {
  const schema = toolHookEventSchema.pick({ status: true, error: true });
  expect(toJson(schema, { status: 'error', error: undefined }, { error: null })).toEqual({
    status: 'error',
    error: null,
  });
});

it('writes every member of a tier', () => {
  const model = create(TierModelSchema, {
    id: 'm',
    tierId: 't',
    modelId: 'sandbox/echo-1',
    capabilities: ['text'],
    inputPricePerMillionCents: 5n,
    isDefault: true,
    createdAt: at,
    updatedAt: at,
  });
  const tier = create(TierSchema, {
    id: 't',
    projectId: 'p',
    tierCode: 'pro',
    displayName: 'Pro',
    billingMode: 'subscription',
    models: [model],
    priceAmountCents: 900n,
    priceCurrency: 'usd',
    planGroup: 'plans',
    features: ['one'],
    createdAt: at,
    updatedAt: at,
  });
  expect(JSON.stringify(tierJson(tier))).toBe(
    `{"id":"t","project_id":"p","tier_code":"pro","display_name":"Pro","billing_mode":"subscription","spend_limit_cents":null,` +
      `"models":[{"id":"m","tier_id":"t","model_id":"sandbox/echo-1","model_display_name":"","description":"","capabilities":["text"],` +
      `"context_window":0,"max_output_tokens":0,"deprecated":false,"input_price_per_million_cents":5,` +
      `"output_price_per_million_cents":0,"fee_markup_percentage":0,"is_default":true,"created_at":"${AT}","updated_at":"${AT}"}],` +
      `"price_amount_cents":900,"price_currency":"usd","overage_enabled":false,"is_default":false,"visibility":"portal",` +
      `"sort_order":0,"features":["one"],"group":"plans","allow_promotion_codes":false,"created_at":"${AT}","updated_at":"${AT}"}`,
  );
  const paygo = { ...tier, billingMode: 'paygo', spendLimitCents: 3n };
  expect(Object.keys(JSON.parse(JSON.stringify(tierJson(paygo))))).not.toContain('spend_limit_cents');
  expect(tierJson({ ...tier, spendLimitCents: 3n })).toMatchObject({ spend_limit_cents: 3 });
  expect(Object.keys(tierJson(tier))).toEqual(Object.keys(tierSchema.shape));
});
