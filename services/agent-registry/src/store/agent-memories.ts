import { lockUntilCommit, type Queryable, type Tx } from '@tollgate/postgres';

/** A document that was never written is empty. */
export interface AgentMemory {
  /** The agent's own document. */
  content: string;
  /** The document of the customer that the agent runs for. */
  customerContent: string;
}

export async function findMemory(db: Queryable, agentId: string, customerId: string | undefined): Promise<AgentMemory> {
  const { rows } = await db.query<AgentMemory>(
    `SELECT COALESCE((SELECT content FROM agent_memories WHERE agent_id = $1), '') AS content,
            COALESCE((SELECT content FROM agent_customer_memories WHERE agent_id = $1 AND customer_id = $2), '')
              AS "customerContent"`,
    [agentId, customerId ?? null],
  );
  return rows[0]!;
}

export async function writeOwnMemory(db: Queryable, agentId: string, content: string, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO agent_memories (agent_id, content, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (agent_id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at`,
    [agentId, content, now],
  );
}

/** Writes nothing for a deleted customer, whose run may end after the deletion. */
export async function writeCustomerMemory(
  tx: Tx,
  { agentId, customerId }: { agentId: string; customerId: string },
  content: string,
  now: Date,
): Promise<void> {
  await lockCustomer(tx, customerId);
  await tx.query(
    `INSERT INTO agent_customer_memories (agent_id, customer_id, content, updated_at)
     SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM deleted_customers WHERE customer_id = $2)
     ON CONFLICT (agent_id, customer_id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at`,
    [agentId, customerId, content, now],
  );
}

export async function deleteCustomerMemories(tx: Tx, customerId: string, now: Date): Promise<void> {
  await lockCustomer(tx, customerId);
  await tx.query(
    'INSERT INTO deleted_customers (customer_id, deleted_at) VALUES ($1, $2) ON CONFLICT (customer_id) DO NOTHING',
    [customerId, now],
  );
  await tx.query('DELETE FROM agent_customer_memories WHERE customer_id = $1', [customerId]);
}

/** Deletes markers of customers deleted before `before`, at most `limit`: each call leaves fewer. */
export async function purgeDeletedCustomers(tx: Tx, before: Date, limit: number): Promise<void> {
  await tx.query(
    `DELETE FROM deleted_customers WHERE customer_id IN (
       SELECT customer_id FROM deleted_customers WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before, limit],
  );
}

/** Serializes writes and the deletion of one customer's memory; before the first write there is no row to lock. */
async function lockCustomer(tx: Tx, customerId: string): Promise<void> {
  await lockUntilCommit(tx, `customer memory ${customerId}`);
}
