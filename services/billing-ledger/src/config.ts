import { type EventsEnvironment, eventsFields } from '@tollgate/events';
import { ConfigError, fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';

const environment = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgres', 'postgresql'),
  DATABASE_SCHEMA: fields.text().default('billing_ledger'),
  DATABASE_POOL_MAX: fields.integer(1, 200).default(10),
  ...eventsFields,
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(50051),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  MODEL_CATALOG_FILE: fields.text().optional(),
  SANDBOX_PROVIDER: fields.bool().default(false),
  HOLD_TTL: fields.durationMs().default(60_000),
  HOLD_SWEEP_INTERVAL: fields.durationMs().default(1_000),
  LOW_BALANCE_THRESHOLD_CENTS: fields.integer().default(500),

  STRIPE_SECRET_KEY: fields.secret().optional(),
  STRIPE_WEBHOOK_SECRET: fields.secret().optional(),
  STRIPE_API_BASE: fields.url().optional(),
  STRIPE_NOTICE_TOLERANCE: fields.durationMs().default(300_000),
  TOPUP_MIN_CENTS: fields.integer(1).default(500),
  TOPUP_MAX_CENTS: fields.integer(1).default(500_000),
  AUTO_TOPUP_MAX_DAILY_CENTS: fields.integer().default(1_000_000),
  AUTO_TOPUP_MAX_MONTHLY_CENTS: fields.integer().default(5_000_000),
  AUTO_TOPUP_INTERVAL: fields.durationMs().default(2_000),
  PAYMENT_CHECK_INTERVAL: fields.durationMs().default(30_000),
  SIGNUP_CREDIT_CENTS: fields.integer().default(500),
  FREE_CREDIT_DAILY_CAP_CENTS: fields.integer().optional(),
  ACCOUNT_QUOTA_UNITS: fields.integer().optional(),
});

export type Config = ReturnType<typeof configFromEnv>;

/** The only reader of the environment in this service. */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const e = loadConfig(environment, env);
  if (e.STRIPE_SECRET_KEY !== undefined && e.STRIPE_WEBHOOK_SECRET === undefined) {
    throw new ConfigError('Invalid configuration:\n  STRIPE_WEBHOOK_SECRET: is not set; needed with STRIPE_SECRET_KEY');
  }
  return {
    logLevel: e.LOG_LEVEL,
    database: { url: e.DATABASE_URL, schema: e.DATABASE_SCHEMA, poolMax: e.DATABASE_POOL_MAX },
    events: e as EventsEnvironment,
    grpc: { host: e.GRPC_HOST, port: e.GRPC_PORT },
    tls: { certFile: e.RPC_TLS_CERT_FILE, keyFile: e.RPC_TLS_KEY_FILE, caFile: e.RPC_TLS_CA_FILE },
    modelCatalogFile: e.MODEL_CATALOG_FILE,
    sandboxProvider: e.SANDBOX_PROVIDER,
    /** A hold without progress expires after this. */
    holdTtlMs: e.HOLD_TTL,
    holdSweepIntervalMs: e.HOLD_SWEEP_INTERVAL,
    lowBalanceThresholdCents: e.LOW_BALANCE_THRESHOLD_CENTS,
    /** Absent: nothing is bought by card. */
    processor:
      e.STRIPE_SECRET_KEY === undefined
        ? undefined
        : {
            secretKey: e.STRIPE_SECRET_KEY,
            noticeSecret: e.STRIPE_WEBHOOK_SECRET ?? '',
            noticeToleranceMs: e.STRIPE_NOTICE_TOLERANCE,
            apiBase: e.STRIPE_API_BASE,
          },
    topUps: {
      minCents: BigInt(e.TOPUP_MIN_CENTS),
      maxSingleCents: BigInt(e.TOPUP_MAX_CENTS),
      maxDailyCents: BigInt(e.AUTO_TOPUP_MAX_DAILY_CENTS),
      maxMonthlyCents: BigInt(e.AUTO_TOPUP_MAX_MONTHLY_CENTS),
    },
    autoTopUpIntervalMs: e.AUTO_TOPUP_INTERVAL,
    paymentCheckIntervalMs: e.PAYMENT_CHECK_INTERVAL,
    signupCreditCents: BigInt(e.SIGNUP_CREDIT_CENTS),
    /** Of every account without limits of its own; absent: none. */
    accountLimits: {
      dailyCapCents: optionalBigint(e.FREE_CREDIT_DAILY_CAP_CENTS),
      quotaUnits: optionalBigint(e.ACCOUNT_QUOTA_UNITS),
    },
  };
}

function optionalBigint(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
