import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { configFromEnv, startBilling } from '@tollgate/billing-ledger';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { createPool } from '@tollgate/postgres';
import { LocalNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { percentile } from './http-load.js';

export interface LedgerResult {
  cyclesPerSecond: number;
  admitP50Ms: number;
  admitP99Ms: number;
  settleP50Ms: number;
  settleP99Ms: number;
  /** Settlements per commit. */
  batchP50: number;
  batchP99: number;
  batchMax: number;
  differences: number;
}

/** Measures admissions and settlements through the ledger's interface, durable commits, on one or many accounts. */
export async function ledgerLoad(
  databaseUrl: string,
  options: { accounts: number; clients: number; durationMs: number },
): Promise<LedgerResult> {
  const network = new LocalNetwork();
  const schema = `bench_${randomUUID().slice(0, 8)}`;
  const config = configFromEnv({
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: schema,
    SANDBOX_PROVIDER: '1',
    LOG_LEVEL: 'silent',
  });
  const running = await startBilling(config, { network, logger: silentLogger });
  const billing = network.client(BillingService);
  const owners = Array.from({ length: options.accounts }, () =>
    create(PrincipalSchema, {
      kind: PrincipalKind.SECRET_KEY,
      accountId: randomUUID(),
      projectId: randomUUID(),
      keyId: randomUUID(),
    }),
  );
  for (const principal of owners) {
    const grant = {
      target: { case: 'account' as const, value: true },
      amountMicrocents: 10n ** 15n,
      reason: 'top_up',
      cause: randomUUID(),
    };
    await billing.grantCredit(grant, startCall({ principal }));
  }
  const admits: number[] = [];
  const settles: number[] = [];
  const run = async (client: number, until: number): Promise<void> => {
    for (let i = client; performance.now() < until; i++) {
      const principal = owners[i % owners.length];
      const holdId = randomUUID();
      const t0 = performance.now();
      const { decision } = await billing.admit(
        { holdId, model: 'sandbox/echo-1', inputTokensEstimate: 50n, maxOutputTokens: 100 },
        startCall({ principal }),
      );
      const t1 = performance.now();
      if (decision.case !== 'admitted') throw new Error(`refused: ${decision.value?.code}`);
      await billing.settle({ holdId, usage: { inputTokens: 40n, outputTokens: 60n } }, startCall({ principal }));
      admits.push(t1 - t0);
      settles.push(performance.now() - t1);
    }
  };
  const measure = (durationMs: number) => {
    const until = performance.now() + durationMs;
    return Promise.all(Array.from({ length: options.clients }, (_, client) => run(client, until)));
  };
  await measure(1_000);
  admits.length = 0;
  settles.length = 0;
  await measure(options.durationMs);
  const verdict = await billing.verifyLedger({}, startCall({ principal: owners[0], timeoutMs: 60_000 }));
  await running.stop();
  const batches = await batchSizes(databaseUrl, schema);
  return {
    cyclesPerSecond: settles.length / (options.durationMs / 1000),
    admitP50Ms: percentile(admits, 0.5),
    admitP99Ms: percentile(admits, 0.99),
    settleP50Ms: percentile(settles, 0.5),
    settleP99Ms: percentile(settles, 0.99),
    batchP50: percentile(batches, 0.5),
    batchP99: percentile(batches, 0.99),
    batchMax: percentile(batches, 1),
    differences: verdict.differences.length,
  };
}

/** Holds that one transaction ended are one batch, identified by PostgreSQL's transaction id. */
async function batchSizes(url: string, schema: string): Promise<number[]> {
  const pool = createPool({ url, schema, max: 1 });
  const { rows } = await pool.query<{ size: number }>(
    'SELECT count(*)::int AS size FROM holds WHERE state = 1 GROUP BY xmin::text',
  );
  await pool.end();
  return rows.map(({ size }) => size);
}
