import type { Queryable } from '@tollgate/postgres';
import { fields } from '@tollgate/runtime';
import { isUuid } from '@tollgate/runtime/uuid';
import { type Command, type CommandCall, UsageError } from '@tollgate/service';
import type { Config } from '../config.js';
import { appliedLimit, type ConfiguredLimits } from '../domain/subject.js';
import {
  type AccountLimit,
  putAccountLimit,
  readAccountLimitOverrides,
  removeAccountLimit,
} from '../store/subjects/subjects.js';

interface LimitKind {
  stored: AccountLimit;
  unit: string;
  configured: keyof ConfiguredLimits;
}

const KINDS: Readonly<Record<string, LimitKind>> = {
  'daily-cap': { stored: 'daily_cap', unit: 'cents of granted credit a day', configured: 'dailyCapCents' },
  quota: { stored: 'quota', unit: 'units a month', configured: 'quotaUnits' },
};

/** Prints the limits of an owner account. */
export const showLimits: Command<Config> = {
  arguments: 'ACCOUNT_ID',
  summary: 'prints the limits of an owner account (find-account of edge-gateway prints the id)',
  async run({ config, openPool }, call) {
    const accountId = readAccountId(call);
    const pool = openPool({ max: 1 });
    for (const kind of Object.keys(KINDS)) await printLimit(pool, config, { accountId, kind }, call);
  },
};

/** Overrides a limit of an owner account. Running services apply it within seconds. */
export const setLimit: Command<Config> = {
  arguments: 'ACCOUNT_ID KIND VALUE',
  summary: 'sets a limit (daily-cap in cents, quota in units) to a number, unlimited, or default (as configured)',
  async run({ config, openPool }, call) {
    const accountId = readAccountId(call);
    const [, kind = '', value = ''] = call.args;
    const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    if (!known) throw new UsageError(`KIND: expected ${Object.keys(KINDS).join(' or ')}`);
    const pool = openPool({ max: 1 });
    if (value === 'default') await removeAccountLimit(pool, accountId, known.stored);
    else await putAccountLimit(pool, accountId, known.stored, value === 'unlimited' ? null : readAmount(value));
    await printLimit(pool, config, { accountId, kind }, call);
  },
};

async function printLimit(
  pool: Queryable,
  { accountLimits }: Config,
  { accountId, kind }: { accountId: string; kind: string },
  { print }: CommandCall,
): Promise<void> {
  const { stored, unit, configured } = KINDS[kind]!;
  const override = (await readAccountLimitOverrides(pool, accountId))[stored];
  const limit = appliedLimit(override, accountLimits[configured]);
  const source = override === undefined ? 'configured' : 'set for this account';
  const text = `${kind}: ${limit === undefined ? 'unlimited' : `${limit} ${unit}`} (${source})`;
  await print({ accountId, kind, limit: limit ?? null, isOverridden: override !== undefined }, text);
}

function readAccountId({ args: [accountId = ''] }: CommandCall): string {
  if (!isUuid(accountId)) throw new UsageError('ACCOUNT_ID: expected a UUID; find-account of edge-gateway prints it');
  return accountId;
}

function readAmount(value: string): bigint {
  const parsed = fields.integer().safeParse(value);
  if (!parsed.success) throw new UsageError('VALUE: expected a whole number from 0, unlimited or default');
  return BigInt(parsed.data);
}
