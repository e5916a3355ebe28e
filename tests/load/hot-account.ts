import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { configFromEnv, startBilling } from '@tollgate/billing-ledger';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { createPool } from '@tollgate/postgres';
import { LocalNetwork, startCall } from '@tollgate/rpc';
import { newOrderedId, silentLogger } from '@tollgate/runtime';
import { percentile } from './http-load.js';
import { processUsage } from './process-usage.js';
import { onDurableDatabase, postmasterPid } from './servers.js';
import { ms, table } from './table.js';

export interface LedgerResult {
  cyclesPerSecond: number;
  /** CPU per cycle of this process, which is client and ledger, and of PostgreSQL. */
  nodeMs: number;
  postgresMs: number;
  admitP50Ms: number;
  admitP99Ms: number;
  settleP50Ms: number;
  settleP99Ms: number;
  /** Settlements per commit. */
  batchP50: number;
  batchP99: number;
  batchMax: number;
  differences: number;
  /** Limits below zero. */
  overspent: number;
}

export async function ledgerTable(durationMs: number): Promise<string> {
  const lines: string[] = [];
  await onDurableDatabase(async (url) => {
    for (const [accounts, clients] of [
      [1, 1],
      [1, 64],
      [1, 256],
      [1_000, 256],
    ] as const) {
      const r = await ledgerLoad(url, { accounts, clients, durationMs });
      lines.push(
        [
          accounts,
          clients,
          Math.round(r.cyclesPerSecond),
          `${ms(r.admitP50Ms)} / ${ms(r.admitP99Ms)}`,
          `${ms(r.settleP50Ms)} / ${ms(r.settleP99Ms)}`,
          `${r.nodeMs.toFixed(3)} / ${r.postgresMs.toFixed(3)} ms`,
          `${r.batchP50} / ${r.batchP99} / ${r.batchMax}`,
          `${r.differences} / ${r.overspent}`,
        ].join(' | '),
      );
    }
  });
  return table(
    'accounts | clients | admit + settle cycles/s | admit p50 / p99 | settle p50 / p99 | CPU per cycle: Node / PostgreSQL | batch p50 / p99 / max | ledger differences / overspent limits',
    lines,
  );
}

/** Measures admissions and settlements through the ledger's interface, durable commits, on one or many accounts. */
export async function ledgerLoad(
  databaseUrl: string,
  options: {
    accounts: number;
    clients: number;
    durationMs: number;
    /** Of a ledger that exists; default: a new one. */
    schema?: string;
  },
): Promise<LedgerResult> {
  const network = new LocalNetwork();
  const schema = options.schema ?? `bench_${randomUUID().slice(0, 8)}`;
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
      const holdId = newOrderedId();
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
  const postgres = await postmasterPid(databaseUrl);
  const [nodeBefore, postgresBefore] = [process.cpuUsage(), processUsage(postgres).cpuMs];
  await measure(options.durationMs);
  const { user, system } = process.cpuUsage(nodeBefore);
  const postgresMs = processUsage(postgres).cpuMs - postgresBefore;
  const verdict = await billing.verifyLedger({}, startCall({ principal: owners[0], timeoutMs: 60_000 }));
  await running.stop();
  // Reads all holds and accounts.
  const { batches, overspent } = options.schema
    ? { batches: [], overspent: 0 }
    : await readBatches(databaseUrl, schema);
  return {
    nodeMs: (user + system) / 1000 / settles.length,
    postgresMs: postgresMs / settles.length,
    cyclesPerSecond: settles.length / (options.durationMs / 1000),
    admitP50Ms: percentile(admits, 0.5),
    admitP99Ms: percentile(admits, 0.99),
    settleP50Ms: percentile(settles, 0.5),
    settleP99Ms: percentile(settles, 0.99),
    batchP50: percentile(batches, 0.5),
    batchP99: percentile(batches, 0.99),
    batchMax: percentile(batches, 1),
    differences: verdict.differences.length,
    overspent,
  };
}

/** Returns the sizes of batches and the number of overspent limits. Holds that one transaction ended are one batch. */
async function readBatches(url: string, schema: string): Promise<{ batches: number[]; overspent: number }> {
  const pool = createPool({ url, schema, max: 1 });
  const { rows } = await pool.query<{ size: number }>(
    'SELECT count(*)::int AS size FROM holds WHERE state = 1 GROUP BY xmin::text',
  );
  const overspent = await pool.query('SELECT 1 FROM accounts WHERE is_enforced AND credits - debits - held < 0');
  await pool.end();
  return { batches: rows.map(({ size }) => size), overspent: overspent.rowCount ?? 0 };
}
