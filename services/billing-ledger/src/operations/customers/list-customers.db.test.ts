import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListCustomersRequestSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { eventTypes } from '@tollgate/events';
import { callAs, type LedgerHarness, ownerPrincipal, startLedgerHarness } from '../../testing/ledger-harness.js';

const owner = ownerPrincipal();
const EMAILS = ['Ann@example.com', 'anna@example.com', 'bob@example.com', '100%@example.com', '1000@example.com'];

let harness: LedgerHarness;
/** Oldest first. */
const ids: string[] = [];

beforeAll(async () => {
  harness = await startLedgerHarness('list-customers');
  for (const [at, email] of EMAILS.entries()) {
    const { envelope } = await harness.billing.createCustomer({ externalId: `User-${at}`, email }, callAs(owner));
    ids.push(envelope?.customer?.id ?? '');
  }
  await harness.database.pool.query(
    `UPDATE customers c SET created_at = c.created_at + p.place * interval '1 second'
       FROM unnest($1::uuid[]) WITH ORDINALITY AS p (id, place) WHERE c.id = p.id`,
    [ids],
  );
  await harness.billing.createCustomer({ externalId: 'User-0', email: EMAILS[0]! }, callAs(ownerPrincipal()));
});
afterAll(() => harness.stop());

type Query = MessageInitShape<typeof ListCustomersRequestSchema>;

async function list(query: Query) {
  const { customers, hasMore, total } = await harness.billing.listCustomers(query, callAs(owner));
  return { found: customers.map(({ customer }) => customer!), hasMore, total };
}

const places = (found: readonly { id: string }[]) => found.map(({ id }) => ids.indexOf(id));

describe('listCustomers', () => {
  it.each<[Query, number[]]>([
    [{}, [0, 1, 2, 3, 4]],
    [{ newestFirst: true }, [4, 3, 2, 1, 0]],
    [{ search: 'ANN' }, [0, 1]],
    [{ search: 'user-' }, [0, 1, 2, 3, 4]],
    [{ search: 'ser-' }, []],
    [{ search: '100%' }, [3]],
    [{ search: '_' }, []],
    [{ search: '\\' }, []],
    [{ email: 'ann@EXAMPLE.com' }, [0]],
    [{ externalId: 'User-2' }, [2]],
    [{ externalId: 'user-2' }, []],
    [{ search: 'ann', externalId: 'User-1' }, [1]],
    [{ subscriptionStatus: 'none' }, [0, 1, 2, 3, 4]],
    [{ subscriptionStatus: 'active' }, []],
    [{ tierCode: 'pro' }, []],
  ])('finds for %j the customers %j of the project', async (query, expected) => {
    const { found, hasMore, total } = await list({ ...query, countsTotal: true });
    expect([places(found), hasMore, total]).toEqual([expected, false, BigInt(expected.length)]);
  });

  it('finds customers by their ids, and none of another project', async () => {
    const other = await harness.billing.listCustomers({}, callAs(ownerPrincipal()));
    expect(other.customers).toEqual([]);
    const { found } = await list({ ids: [ids[3]!, ids[1]!, randomUUID()] });
    expect(places(found)).toEqual([1, 3]);
    await expect(list({ ids: ['not an id'] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it.each([false, true])('continues after a customer, newest first: %s', async (newestFirst) => {
    const found = [];
    for (let query: Query = {}, isOver = false; !isOver; ) {
      const page = await list({ ...query, limit: 2, newestFirst });
      found.push(...page.found);
      const last = page.found.at(-1)!;
      query = { afterCreatedAt: last.createdAt!, afterId: last.id };
      isOver = !page.hasMore;
    }
    expect(places(found)).toEqual(newestFirst ? [4, 3, 2, 1, 0] : [0, 1, 2, 3, 4]);
  });

  it('counts the customers only if it is asked to, on every page', async () => {
    expect((await list({ limit: 1 })).total).toBeUndefined();
    expect((await list({ limit: 1, offset: 3, countsTotal: true })).total).toBe(5n);
  });
});

describe('updateCustomer', () => {
  const update = (change: { id: string; email?: string; metadataJson?: string }, as = owner) =>
    harness.billing.updateCustomer(change, callAs(as));

  it('changes what is named, keeps the rest, and emits one event', async () => {
    const [id = ''] = ids;
    await update({ id, metadataJson: '{"a":1}' });
    const { envelope } = await update({ id, email: 'new@example.com' });
    expect(envelope?.customer).toMatchObject({
      externalId: 'User-0',
      email: 'new@example.com',
      metadataJson: '{"a":1}',
    });
    expect(await harness.events(eventTypes.customerUpdated, owner.projectId)).toHaveLength(2);
  });

  it.each([
    ['an email without a domain', { email: 'someone' }, 'VALIDATION_ERROR'],
    ['metadata that is no object', { metadataJson: '[]' }, 'VALIDATION_ERROR'],
  ])('rejects %s', async (_, change, code) => {
    await expect(update({ id: ids[1]!, ...change })).rejects.toMatchObject({ code });
  });

  it('answers NOT_FOUND for an unknown customer and for one of another project', async () => {
    for (const [id, as] of [
      [randomUUID(), owner],
      ['x', owner],
      [ids[1]!, ownerPrincipal()],
    ] as const)
      await expect(update({ id, email: 'a@b.cd' }, as)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
