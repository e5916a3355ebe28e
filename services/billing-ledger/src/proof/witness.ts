import type { Queryable } from '@tollgate/postgres';

/**
 * Installs triggers in the test's schema. They record what the final state does not show: how often a hold changed its state,
 * how often its usage was emitted, and which accounts were once without a limit.
 */
export async function installWitness(db: Queryable): Promise<void> {
  await db.query(`
    CREATE TABLE witness_moves (request_id uuid, from_state smallint, to_state smallint);
    CREATE INDEX ON witness_moves (request_id);
    CREATE TABLE witness_emitted (request_id text, type text);
    CREATE INDEX ON witness_emitted (request_id);
    CREATE FUNCTION witness_move() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO witness_moves VALUES (NEW.request_id, OLD.state, NEW.state); RETURN NULL; END $$;
    CREATE TRIGGER witness_move AFTER UPDATE ON holds FOR EACH ROW WHEN (OLD.state <> NEW.state)
      EXECUTE FUNCTION witness_move();
    CREATE FUNCTION witness_emitted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO witness_emitted VALUES (NEW.request_id, NEW.type); RETURN NULL; END $$;
    CREATE TRIGGER witness_emitted AFTER INSERT ON outbox FOR EACH ROW WHEN (NEW.type LIKE 'usage.%')
      EXECUTE FUNCTION witness_emitted();
    CREATE TABLE witness_unlimited (account_id text PRIMARY KEY);
    CREATE FUNCTION witness_unlimited() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO witness_unlimited VALUES (NEW.id::text) ON CONFLICT DO NOTHING; RETURN NULL; END $$;
    CREATE TRIGGER witness_unlimited AFTER INSERT OR UPDATE ON accounts FOR EACH ROW WHEN (NOT NEW.is_enforced)
      EXECUTE FUNCTION witness_unlimited();`);
}

/** Rules that an owner's books must satisfy after any sequence of commands. Each row is a violation. */
const RULES = `WITH mine AS (SELECT * FROM holds WHERE owner_account_id = $1 AND model_id <> ''), -- '' = tombstone
  account AS (SELECT * FROM accounts WHERE owner_account_id = $1),
  booked AS (
    SELECT t.cause, sum(CASE WHEN t.kind IN ('charge_allowance', 'charge_wallet', 'late_allowance', 'late_wallet') THEN t.amount
        WHEN t.kind IN ('returned_allowance', 'returned_wallet', 'superseded_allowance', 'superseded_wallet') THEN -t.amount ELSE 0 END) AS customer,
      sum(CASE WHEN t.kind IN ('provider_cost', 'late_owner') THEN t.amount WHEN t.kind = 'returned_owner' THEN -t.amount ELSE 0 END) AS owner,
      sum(CASE WHEN t.kind IN ('overrun', 'late_overrun') THEN t.amount WHEN t.kind = 'returned_overrun' THEN -t.amount ELSE 0 END) AS overrun,
      sum(CASE WHEN t.kind IN ('overrun_customer', 'late_overrun_customer') THEN t.amount WHEN t.kind = 'returned_overrun_customer' THEN -t.amount ELSE 0 END) AS unpaid,
      bool_or(t.kind LIKE 'superseded_%') AS is_superseded,
      sum(CASE t.kind WHEN 'unreconciled' THEN t.amount WHEN 'reconciled' THEN -t.amount ELSE 0 END) AS unreconciled
    FROM transfers t WHERE t.cause IN (SELECT request_id FROM mine) GROUP BY 1)
  SELECT 'an enforced ' || kind || ' is overspent by ' || (debits + held - credits) AS violation FROM account
    WHERE is_enforced AND credits - debits - held < 0
      -- A limit that is lowered, or set for the first time, can be below what was already spent.
      AND NOT EXISTS (SELECT 1 FROM transfers WHERE kind = 'limit_lowered' AND debit_account = account.id)
      AND NOT EXISTS (SELECT 1 FROM witness_unlimited w WHERE w.account_id = account.id::text)
  UNION ALL SELECT 'hold ' || m.request_id || ' left open ' || n || ' times' FROM mine m
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM witness_moves w WHERE w.request_id = m.request_id AND w.from_state = 0) x
    WHERE n <> CASE m.state WHEN 0 THEN 0 ELSE 1 END
  UNION ALL SELECT 'hold ' || w.request_id || ' went from ' || from_state || ' to ' || to_state
    FROM witness_moves w JOIN mine USING (request_id)
    WHERE (from_state, to_state) NOT IN ((0, 1), (0, 2), (0, 3), (3, 4))
  UNION ALL SELECT 'the usage of ' || m.request_id || ' was emitted ' || n || ' times' FROM mine m
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM witness_emitted w WHERE w.request_id = m.request_id::text AND w.type = 'usage.recorded') x
    WHERE n <> CASE m.state WHEN 0 THEN 0 ELSE 1 END
  UNION ALL SELECT 'the journal of ' || m.request_id || ' and its hold disagree' FROM mine m LEFT JOIN booked b ON b.cause = m.request_id
    WHERE (coalesce(b.customer, 0), coalesce(b.owner, 0), coalesce(b.overrun, 0), coalesce(b.unreconciled, 0))
      <> (coalesce(m.customer_microcents, 0), coalesce(m.owner_microcents, 0), coalesce(m.overrun_microcents, 0), coalesce(m.unreconciled_microcents, 0))
  UNION ALL SELECT 'the price of ' || m.request_id || ' is neither charged nor overrun' FROM mine m LEFT JOIN booked b ON b.cause = m.request_id
    WHERE m.state <> 0 AND NOT coalesce(b.is_superseded, false) AND coalesce(b.customer, 0) + coalesce(b.unpaid, 0)
      <> m.input_tokens * (m.terms->'customerPrice'->>'inputPerMillionCents')::bigint
        + m.output_tokens * (m.terms->'customerPrice'->>'outputPerMillionCents')::bigint
        + m.images * (m.terms->'customerPrice'->>'perImageCents')::bigint * 1000000 + coalesce(m.fee_microcents, 0)
  UNION ALL SELECT 'roll-ups and holds disagree: ' || r.sums || ' and ' || h.sums FROM
    (SELECT concat_ws(' ', coalesce(sum(requests), 0), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0),
        coalesce(sum(images), 0), coalesce(sum(customer_microcents), 0), coalesce(sum(provider_microcents), 0),
        coalesce(sum(overrun_microcents), 0), coalesce(sum(unreconciled_microcents), 0)) AS sums
      FROM usage_rollups WHERE owner_account_id = $1) r,
    (SELECT concat_ws(' ', count(*) FILTER (WHERE coalesce(input_tokens, 0) + coalesce(output_tokens, 0) + coalesce(images, 0) > 0),
        coalesce(sum(input_tokens - coalesce(tool_fee_tokens, 0)), 0), coalesce(sum(output_tokens), 0), coalesce(sum(images), 0),
        coalesce(sum(customer_microcents), 0), coalesce(sum(owner_microcents), 0), coalesce(sum(overrun_microcents), 0),
        coalesce(sum(unreconciled_microcents), 0)) AS sums FROM mine) h
    WHERE r.sums <> h.sums
  UNION ALL SELECT 'transfers of ' || kind || ' touch a limit and lack their other side' FROM transfers
    WHERE debit_account = credit_account OR amount <= 0`;

/** Returns all violations; empty for sound books. */
export async function violations(db: Queryable, owner: string): Promise<string[]> {
  const { rows } = await db.query<{ violation: string }>(RULES, [owner]);
  return rows.map(({ violation }) => violation);
}
