import type { Queryable } from '@tollgate/postgres';
import { type CustomerRecord, countSelected, selectCustomers } from './customer-records.js';

/** Longer counts take too long for a list. */
const COUNTED_MAX = 100_000;

/** The customers of a project that a list shows. */
export interface CustomerFilter {
  projectId: string;
  /** Beginning of the email or external id, in any case. */
  search: string | undefined;
  /** In any case. */
  email: string | undefined;
  externalId: string | undefined;
  tierCode: string | undefined;
  /** Of the subscription, or `none`. */
  status: string | undefined;
  ids: readonly string[] | undefined;
}

export interface CustomerPage {
  take: number;
  skip: number;
  /** The place in the list before the page. */
  after: { createdAt: Date; id: string } | undefined;
  isNewestFirst: boolean;
}

/** Returns a page of the customers in the order of their creation. */
export async function searchCustomers(
  db: Queryable,
  filter: CustomerFilter,
  { take, skip, after, isNewestFirst }: CustomerPage,
): Promise<CustomerRecord[]> {
  const { condition, values } = toCondition(filter);
  const add = (value: unknown) => `$${values.push(value)}`;
  const [direction, sign] = isNewestFirst ? ['DESC', '<'] : ['ASC', '>'];
  const place = after ? `AND (c.created_at, c.id) ${sign} (${add(after.createdAt)}, ${add(after.id)}::uuid)` : '';
  const order = `ORDER BY c.created_at ${direction}, c.id ${direction} LIMIT ${add(take)} OFFSET ${add(skip)}`;
  return selectCustomers(db, `WHERE ${condition} ${place} ${order}`, values);
}

/** Counts the customers, at most 100,000. */
export async function countCustomers(db: Queryable, filter: CustomerFilter): Promise<bigint> {
  const { condition, values } = toCondition(filter);
  return countSelected(db, `WHERE ${condition}`, values, COUNTED_MAX);
}

/** Only filters that are set take part, so that each plan is made for them. */
function toCondition(filter: CustomerFilter): { condition: string; values: unknown[] } {
  const values: unknown[] = [filter.projectId];
  const terms = ['c.project_id = $1'];
  const also = (value: unknown, term: (placeholder: string) => string) => {
    if (value !== undefined) terms.push(term(`$${values.push(value)}`));
  };
  also(
    filter.search && toPrefix(filter.search),
    (text) => `(lower(c.email) LIKE ${text} OR lower(c.external_id) LIKE ${text})`,
  );
  also(filter.email?.toLowerCase(), (text) => `lower(c.email) = ${text}`);
  also(filter.externalId, (text) => `c.external_id = ${text}`);
  also(filter.ids, (list) => `c.id = ANY (${list}::uuid[])`);
  also(filter.tierCode, (text) => `t.tier_code = ${text}`);
  if (filter.status === 'none') terms.push('s.id IS NULL');
  else also(filter.status, (text) => `s.subscription_status = ${text}`);
  return { condition: terms.join(' AND '), values };
}

/** Returns the pattern of texts that begin with the given one, in lower case. */
function toPrefix(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
