import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CustomerListQuery } from '@tollgate/api/billing';
import { nextCursor } from '@tollgate/api/values';
import type { CustomerEnvelope } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { yieldLoop } from '@tollgate/runtime';
import type { Context } from '../../../context.js';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import type { JsonResult } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { envelopeJson } from './customer-json.js';

/** Rendering a larger page takes milliseconds: it gets a turn of the event loop of its own. */
const SMALL_PAGE_MAX = 20;

/** Answers with a page of the customers of the call's project. @throws AppError VALIDATION_ERROR for a bad cursor */
export async function readCustomerPage(
  ctx: Pick<Context, 'clients'>,
  query: CustomerListQuery,
  call: Call,
): Promise<JsonResult> {
  const after = query.cursor === undefined ? undefined : requirePlace(query.cursor);
  if (after && query.offset > 0) throw new AppError('INVALID_INPUT', 'cursor and offset exclude each other');
  const { customers, hasMore, total } = await ctx.clients.billing.listCustomers(
    {
      limit: query.limit,
      offset: query.offset,
      search: query.q ?? '',
      email: query.email ?? '',
      externalId: query.external_id ?? '',
      tierCode: query.tier_code ?? '',
      subscriptionStatus: query.status ?? '',
      newestFirst: query.sort === '-created_at',
      ...(after && { afterCreatedAt: timestampFromDate(after.at), afterId: after.id }),
      countsTotal: query.total,
      ids: query.ids ?? [],
    },
    call,
  );
  if (customers.length > SMALL_PAGE_MAX) await yieldLoop();
  const isKeyset = query.sort !== undefined || after !== undefined;
  const next = isKeyset ? cursorAfter(customers.at(-1), hasMore) : nextCursor(query.offset, customers.length, hasMore);
  const counted = total === undefined ? {} : { total: Number(total) };
  return { body: { customers: customers.map(envelopeJson), ...counted, ...next } };
}

function cursorAfter(last: CustomerEnvelope | undefined, hasMore: boolean): { next_cursor?: string } {
  const { id, createdAt } = last?.customer ?? {};
  return hasMore && id && createdAt ? { next_cursor: toCursor({ at: timestampDate(createdAt), id }) } : {};
}
