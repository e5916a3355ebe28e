import type { CustomerTable } from '@tollgate/service';

/** The key of a delivery's queue begins with the customer's id, also after the delivery got a queue of its own. */
const IS_CUSTOMERS = `split_part(lane_key, ' ', 1) = $1::text`;

/** Webhook events that are about the customer, as they were sent, and their deliveries. */
const EVENTS = `SELECT DISTINCT event_id FROM webhook_deliveries WHERE ${IS_CUSTOMERS}`;

/** Everything about a customer that is stored here. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  {
    table: 'webhook_events',
    sql: `SELECT id, project_id, event_type, convert_from(payload, 'UTF8') AS payload, occurred_at, created_at
          FROM webhook_events WHERE id IN (${EVENTS}) ORDER BY created_at`,
  },
  { table: 'webhook_deliveries', sql: `SELECT * FROM webhook_deliveries WHERE ${IS_CUSTOMERS} ORDER BY seq` },
];
