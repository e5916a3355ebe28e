import { responsesBody, waitUntil } from '@tollgate/testkit';
import { runServiceMain } from '../../operations/run-program.js';
import { must, UPSTREAM_MODEL } from '../../system/start-system.js';
import type { Stage } from '../stage.js';
import { type Condition, forgottenTransaction, inParallel, repeatedly } from './condition.js';

const SLOW_STREAM = responsesBody('say 200 tokens, slow 200 ms', { model: UPSTREAM_MODEL, stream: true });

/** The provider has the request by then. */
const LEAVES_AFTER_MS = 1_000;

/** Runs a command of the operations CLI, as the runbook says. */
async function operate(stage: Stage, service: string, args: string[], exitCode = 0): Promise<string> {
  const { code, out, err } = await runServiceMain(service, args, { ...stage.system.env, ...readAddresses(stage) });
  if (code !== exitCode) throw new Error(`${service} ${args.join(' ')}: exit code ${code}, ${err}`);
  return out;
}

function readAddresses({ system }: Stage): NodeJS.ProcessEnv {
  return { BILLING_LEDGER_ADDR: system.stack.services['billing-ledger']?.grpc };
}

/** Removes open holds of streams and what they hold, as if the transactions of their admissions had been lost. */
const loseHoldsSql = `
  WITH lost AS (
    DELETE FROM billing_ledger.holds WHERE state = 0 AND created_at < now() - interval '2 seconds' RETURNING account_ids, amounts
  ), legs AS (
    SELECT leg.id, sum(leg.amount) AS amount FROM lost, unnest(account_ids, amounts) AS leg (id, amount) GROUP BY 1
  )
  UPDATE billing_ledger.accounts a SET held = a.held - legs.amount FROM legs WHERE a.id = legs.id`;

export const ledgerConditions: Record<string, Condition> = {
  TollgateOwnerUnfunded: {
    how: 'customers of an owner without any prepaid balance send requests',
    remedy: '`grant-credit` in edge-gateway',
    async cause(stage) {
      const unfunded = await stage.system.project({ fundsCents: 0 });
      const customer = await unfunded.customerOn('free', { spendLimitCents: null });
      const body = responsesBody('say 5 tokens', { model: UPSTREAM_MODEL });
      const stop = inParallel(3, () => customer.api.post('/responses', body));
      return async () => {
        const { email } = must(await unfunded.owner.get('/auth/me'), 200).user;
        await operate(stage, 'edge-gateway', ['grant-credit', email, '5000', 'exercise']);
        await waitUntil(async () => (await customer.api.post('/responses', body)).status === 200, {
          what: 'the owner to be served',
        });
        await stop();
      };
    },
  },
  TollgateLedgerVerifyDifferences: {
    how: 'the debits of an account are changed by hand, past the journal',
    remedy: '`verify` names the account; the change by hand is taken back; `verify` finds nothing',
    async cause(stage) {
      const change = (by: number) =>
        stage.sql(
          `UPDATE billing_ledger.accounts SET debits = debits + $1
           WHERE id = (SELECT id FROM billing_ledger.accounts WHERE id > 1000 ORDER BY id LIMIT 1)`,
          [by],
        );
      await change(7);
      return async () => {
        const found = await operate(stage, 'billing-ledger', ['verify'], 1);
        if (!found.includes('debits')) throw new Error(`verify names no account: ${found}`);
        await change(-7);
        await operate(stage, 'billing-ledger', ['verify']);
      };
    },
  },
  TollgateLedgerVerifyStale: forgottenTransaction(
    'a forgotten transaction locks `transfers`, and the comparison cannot read it',
    'LOCK TABLE billing_ledger.transfers IN ACCESS EXCLUSIVE MODE',
  ),
  TollgateLedgerSlow: forgottenTransaction(
    'a forgotten transaction locks accounts',
    'SELECT 1 FROM billing_ledger.accounts FOR UPDATE',
  ),
  TollgateHoldsExpiring: {
    how: 'gateway-inference is killed again and again in the middle of streams',
    remedy: 'the cause of the restarts is removed',
    async cause({ customer, system }) {
      const streams = inParallel(6, async () => (await customer.api.ndjson('/responses', SLOW_STREAM)).all());
      const kills = repeatedly(() => system.kill('gateway-inference'), 4_000);
      return async () => {
        await kills();
        await system.kill('gateway-inference'); // ends the streams
        await streams();
      };
    },
  },
  TollgateHoldsStuck: {
    how: 'a stream that runs for longer than the threshold',
    remedy: '`is_overdue` is false: the request is alive, and is ended',
    async cause(stage) {
      const stream = await stage.customer.api.ndjson('/responses', SLOW_STREAM);
      const reading = stream.all().catch(() => undefined);
      return async () => {
        const [oldest] = await stage.sql(
          `SELECT expires_at < now() AS is_overdue FROM billing_ledger.holds
           WHERE state = 0 ORDER BY created_at LIMIT 1`,
        );
        if (oldest?.is_overdue !== false) throw new Error('the oldest hold is not one of a running request');
        stream.abort();
        await reading;
      };
    },
  },
  TollgateSettlementsUnknown: {
    how: 'holds of running requests are deleted, as a failover loses them',
    remedy: 'the usage is booked as `unreconciled`; `verify` finds no difference',
    async cause(stage) {
      const streams = inParallel(2, async () => (await stage.customer.api.ndjson('/responses', SLOW_STREAM)).all());
      const deletes = repeatedly(() => stage.sql(loseHoldsSql), 1_000);
      return async () => {
        await deletes();
        await streams();
        await operate(stage, 'billing-ledger', ['verify']);
      };
    },
  },
  TollgateSettlementsUnreconciled: {
    how: 'the provider hangs, and customers leave before it has answered',
    remedy: 'the provider answers again',
    async cause({ customer, system }) {
      const body = responsesBody('fail with timeout', { model: UPSTREAM_MODEL });
      return inParallel(3, async () => {
        const leaving = AbortSignal.timeout(LEAVES_AFTER_MS);
        await fetch(`${system.baseUrl}/responses`, {
          method: 'POST',
          headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: leaving,
        });
      });
    },
  },
};
