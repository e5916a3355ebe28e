import type { Queryable } from '@tollgate/postgres';
import { CUSTOMER, DIMENSIONS, FIGURES, NO_ID, selectCellsOfRows, selectDaysOfHours } from './cells.js';

const DAY = "interval '1 day'";
const dimensions = Object.keys(DIMENSIONS);

function insert(table: string, names: readonly string[], select: string): string {
  return `INSERT INTO ${table} (project_id, start, ${[...names, ...FIGURES].join(', ')}) ${select}`;
}

// The range of `at` lets the planner skip the other days.
const ROWS_OF_DAY = `r.project_id = $1 AND r.at >= $2 AND r.at < $2::timestamptz + ${DAY}`;

const HOURS = insert(
  'request_hours',
  dimensions,
  selectCellsOfRows(
    "date_trunc('hour', r.at, 'UTC')",
    DIMENSIONS,
    `${ROWS_OF_DAY} AND date_trunc('hour', r.at, 'UTC') = ANY($3::timestamptz[])`,
  ),
);

const DAYS = insert(
  'request_days',
  dimensions,
  selectDaysOfHours(`h.project_id = $1 AND h.start >= $2 AND h.start < $2::timestamptz + ${DAY}`),
);

const insertCustomers = (condition: string) =>
  insert(
    'request_customer_days',
    [...dimensions, 'customer_id'],
    selectCellsOfRows("date_trunc('day', r.at, 'UTC')", { ...DIMENSIONS, ...CUSTOMER }, `${ROWS_OF_DAY} ${condition}`),
  );
const CUSTOMER_DAYS = insertCustomers('');
const DAYS_OF_CUSTOMERS = insertCustomers('AND r.customer_id = ANY($3::uuid[])');
const DAYS_WITHOUT_CUSTOMER = insertCustomers('AND r.customer_id IS NULL');

/** Replaces a project's cells of some hours of one day by the sums of its rows. */
export async function writeHours(tx: Queryable, projectId: string, day: Date, hours: readonly Date[]): Promise<void> {
  await tx.query('DELETE FROM request_hours WHERE project_id = $1 AND start = ANY($2)', [projectId, hours]);
  await tx.query(HOURS, [projectId, day, hours]);
}

/** Replaces a project's cells of a day by the sums of its cells of hours. */
export async function writeDay(tx: Queryable, projectId: string, day: Date): Promise<void> {
  await tx.query('DELETE FROM request_days WHERE project_id = $1 AND start = $2', [projectId, day]);
  await tx.query(DAYS, [projectId, day]);
}

/** Adds the cells of all of a project's customers of a day; there must be none. */
export async function addCustomerDay(tx: Queryable, projectId: string, day: Date): Promise<void> {
  await tx.query(CUSTOMER_DAYS, [projectId, day]);
}

/** Replaces the cells of some customers of a day; `NO_ID` stands for requests without a customer. */
export async function writeCustomerDays(
  tx: Queryable,
  projectId: string,
  day: Date,
  customerIds: readonly string[],
): Promise<void> {
  await tx.query('DELETE FROM request_customer_days WHERE project_id = $1 AND start = $2 AND customer_id = ANY($3)', [
    projectId,
    day,
    customerIds,
  ]);
  await tx.query(DAYS_OF_CUSTOMERS, [projectId, day, customerIds]);
  if (customerIds.includes(NO_ID)) await tx.query(DAYS_WITHOUT_CUSTOMER, [projectId, day]);
}
