import { type Tier, type TierFile, toTierFile } from './to-tier-file.js';

type Fields = Record<string, unknown>;

export type TierChange =
  | { kind: 'create'; tier_code: string; tier: TierFile }
  | { kind: 'update'; tier_code: string; id: string; before: Fields; set: Fields }
  | { kind: 'unchanged'; tier_code: string }
  /** Without a file. */
  | { kind: 'extra'; tier_code: string };

/** Compares files with the tiers of the project. Fields that a file leaves out stay as they are. */
export function planChanges(files: readonly TierFile[], tiers: readonly Tier[]): TierChange[] {
  const present = new Map(tiers.map((tier) => [tier.tier_code, tier]));
  const changes = files.map((file) => planTier(file, present.get(file.tier_code)));
  const named = new Set(files.map(({ tier_code }) => tier_code));
  const extra = tiers.filter(({ tier_code }) => !named.has(tier_code));
  return [...changes, ...extra.map(({ tier_code }) => ({ kind: 'extra', tier_code }) as const)];
}

function planTier(file: TierFile, tier: Tier | undefined): TierChange {
  const { tier_code } = file;
  if (!tier) return { kind: 'create', tier_code, tier: file };
  const before = toTierFile(tier) as Fields;
  const set = Object.fromEntries(
    Object.entries(file).filter(([field, value]) => toText(field, value) !== toText(field, before[field])),
  );
  return Object.keys(set).length === 0
    ? { kind: 'unchanged', tier_code }
    : { kind: 'update', tier_code, id: tier.id, before, set };
}

/** A limit of null and a missing one are the same, and so are models in another order. */
function toText(field: string, value: unknown): string {
  if (field !== 'models' || !Array.isArray(value)) return JSON.stringify(value ?? null);
  const models = value.map((model: Fields) => sortMembers({ is_default: false, ...model }));
  return JSON.stringify(models.sort((a, b) => (String(a.model_id) < String(b.model_id) ? -1 : 1)));
}

function sortMembers(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
