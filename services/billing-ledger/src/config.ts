import { ConfigError, fields } from '@tollgate/runtime';
import { toKeyring } from '@tollgate/runtime/secret-box';
import { defineConfig, sharedFields } from '@tollgate/service';

const WEBHOOK_TOLERANCE_MS = 300_000;

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({
  name: 'billing-ledger',
  usesEvents: true,
  fields: {
    MODEL_CATALOG_FILE: sharedFields.MODEL_CATALOG_FILE,
    PROMPT_OVERHEAD_TOKENS: sharedFields.PROMPT_OVERHEAD_TOKENS,
    SANDBOX_PROVIDER: sharedFields.SANDBOX_PROVIDER,
    /** Expiry of a hold without a heartbeat. Too short: it expires while its request runs. */
    HOLD_TTL: fields.durationMs().default(60_000),
    /** How often expired holds get their verdict. With this or HOLD_TTL too long, funds of crashed requests stay held. */
    HOLD_SWEEP_INTERVAL: fields.durationMs().default(1_000),
    /** How long after its end (UTC) a month of the journal is closed. Too short: bookings around its end move to the next. */
    JOURNAL_CLOSING_LAG: fields.durationMs().default(3_600_000),
    /** Deletes the requests' transfers of archived months when their holds are deleted. Then only the archives have them. */
    JOURNAL_DELETE_ARCHIVED: fields.bool().default(false),
    /** How often all balances are compared with the journal. Too long: a difference is noticed late. */
    LEDGER_VERIFY_INTERVAL: fields.durationMs().default(3_600_000),
    /** How long ended holds are kept: the model and tokens of a charge in balance histories, and repeats of its request. */
    HOLD_RETENTION_DAYS: fields.integer(60, 3_650).default(400),
    /** How long purchases that were never paid, and announced usage thresholds, are kept. */
    BILLING_RECORD_RETENTION_DAYS: fields.integer(60, 3_650).default(400),
    /** A balance below this amount is reported as low. */
    LOW_BALANCE_THRESHOLD_CENTS: fields.integer().default(500),

    /** 32 bytes in base64 or hex; seals the keys of projects' connections. Without it no project can have any; with another, they fail. */
    SECRETS_ENCRYPTION_KEY: fields.secret().optional(),
    /** Keys that still open older secrets, until they are sealed with the current key. */
    SECRETS_ENCRYPTION_KEYS_PREVIOUS: fields.csv().optional(),

    /** Needs STRIPE_WEBHOOK_SECRET. Without it nothing can be bought by card. With another key, purchases fail. */
    STRIPE_SECRET_KEY: fields.secret().optional(),
    /** With a wrong secret every webhook event is rejected: customers pay and get nothing until it is corrected. */
    STRIPE_WEBHOOK_SECRET: fields.secret().optional(),
    /** Replaces Stripe's own address, for tests. */
    STRIPE_API_BASE: fields.url().optional(),
    /** Greatest age of a webhook event's signature. Too short: late events are rejected. Too long: replays pass. */
    STRIPE_WEBHOOK_TOLERANCE: fields.durationMs().optional(),
    /** Former name of STRIPE_WEBHOOK_TOLERANCE, which wins. */
    STRIPE_NOTICE_TOLERANCE: fields.durationMs().optional(),
    /** A smaller top-up is rejected. */
    TOPUP_MIN_CENTS: fields.integer(1).default(500),
    /** A larger top-up is rejected. Below TOPUP_MIN_CENTS no top-up is possible. */
    TOPUP_MAX_CENTS: fields.integer(1).default(500_000),
    /** Automatic top-ups of an account stop at this amount until the next day (UTC). */
    AUTO_TOPUP_MAX_DAILY_CENTS: fields.integer().default(1_000_000),
    /** Automatic top-ups of an account stop at this amount until the next month (UTC). */
    AUTO_TOPUP_MAX_MONTHLY_CENTS: fields.integer().default(5_000_000),
    /** How often balances are compared with their automatic top-up. Too long: requests fail before money arrives. */
    AUTO_TOPUP_INTERVAL: fields.durationMs().default(2_000),
    /** How often overdue payment orders are checked at the processor. Too long: lost webhook events credit late. */
    PAYMENT_CHECK_INTERVAL: fields.durationMs().default(30_000),
    /** Granted once to an account with a verified card; 0 grants nothing. */
    SIGNUP_CREDIT_CENTS: fields.integer().default(500),
    /** Daily spend of an account that never paid. Without it, only its balance limits such an account. */
    FREE_CREDIT_DAILY_CAP_CENTS: fields.integer().optional(),
    /** Quota of every account without an override. If absent, such accounts have no quota. */
    ACCOUNT_QUOTA_UNITS: fields.integer().optional(),
  },
  toConfig(env) {
    if (env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_WEBHOOK_SECRET === undefined) {
      throw new ConfigError('STRIPE_WEBHOOK_SECRET: is not set; needed with STRIPE_SECRET_KEY');
    }
    return {
      modelCatalogFile: env.MODEL_CATALOG_FILE,
      promptOverheadTokens: env.PROMPT_OVERHEAD_TOKENS,
      sandboxProvider: env.SANDBOX_PROVIDER,
      holdTtlMs: env.HOLD_TTL,
      holdSweepIntervalMs: env.HOLD_SWEEP_INTERVAL,
      journal: { closingLagMs: env.JOURNAL_CLOSING_LAG, deletesArchived: env.JOURNAL_DELETE_ARCHIVED },
      verifyIntervalMs: env.LEDGER_VERIFY_INTERVAL,
      retention: { holdDays: env.HOLD_RETENTION_DAYS, recordDays: env.BILLING_RECORD_RETENTION_DAYS },
      /** Absent: projects cannot have connections. */
      keyring:
        env.SECRETS_ENCRYPTION_KEY === undefined
          ? undefined
          : toKeyring(env.SECRETS_ENCRYPTION_KEY, env.SECRETS_ENCRYPTION_KEYS_PREVIOUS),
      lowBalanceThresholdCents: env.LOW_BALANCE_THRESHOLD_CENTS,
      /** Absent: nothing is bought by card. */
      processor:
        env.STRIPE_SECRET_KEY === undefined
          ? undefined
          : {
              secretKey: env.STRIPE_SECRET_KEY,
              webhookSecret: env.STRIPE_WEBHOOK_SECRET ?? '',
              webhookToleranceMs: env.STRIPE_WEBHOOK_TOLERANCE ?? env.STRIPE_NOTICE_TOLERANCE ?? WEBHOOK_TOLERANCE_MS,
              apiBase: env.STRIPE_API_BASE,
            },
      topUps: {
        minCents: BigInt(env.TOPUP_MIN_CENTS),
        maxSingleCents: BigInt(env.TOPUP_MAX_CENTS),
        maxDailyCents: BigInt(env.AUTO_TOPUP_MAX_DAILY_CENTS),
        maxMonthlyCents: BigInt(env.AUTO_TOPUP_MAX_MONTHLY_CENTS),
      },
      /** Settings that are set under a former name, with their present name. */
      formerNames:
        env.STRIPE_NOTICE_TOLERANCE === undefined
          ? []
          : [{ former: 'STRIPE_NOTICE_TOLERANCE', present: 'STRIPE_WEBHOOK_TOLERANCE' }],
      autoTopUpIntervalMs: env.AUTO_TOPUP_INTERVAL,
      paymentCheckIntervalMs: env.PAYMENT_CHECK_INTERVAL,
      signupCreditCents: BigInt(env.SIGNUP_CREDIT_CENTS),
      /** Apply to every account without limits of its own; absent: none. */
      accountLimits: {
        dailyCapCents: toOptionalBigint(env.FREE_CREDIT_DAILY_CAP_CENTS),
        quotaUnits: toOptionalBigint(env.ACCOUNT_QUOTA_UNITS),
      },
    };
  },
});

export type Config = ReturnType<typeof configFromEnv>;

function toOptionalBigint(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
