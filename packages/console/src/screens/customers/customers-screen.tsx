import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { CustomerEnvelope } from '../../api/types.js';
import { formatAmount } from '../../format/numbers.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { CreateCustomer } from './create-customer.js';
import { CustomerFilters } from './customer-filters.js';

const LIMIT = 50;

interface CustomerPage {
  customers: CustomerEnvelope[];
  total?: number;
  next_cursor?: string;
}

export function CustomersScreen() {
  const projectId = useProjectId();
  const [{ q = '', tier = '', status = '', cursor }] = useTexts();
  const isFiltered = q !== '' || tier !== '' || status !== '';
  const [isCreating, setCreating] = useState(false);
  const query = useQuery({
    queryKey: ['customers', projectId, q, tier, status, cursor],
    queryFn: ({ signal }) =>
      get<CustomerPage>(
        `/projects/${projectId}/customers`,
        { sort: '-created_at', total: true, limit: LIMIT, q, tier_code: tier, status, cursor },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const create = (
    <Button look="primary" needs="customers.manage" onClick={() => setCreating(true)}>
      New customer
    </Button>
  );
  return (
    <Page title="Customers" hint="The end users of this project, newest first." actions={create} isWide>
      <CustomerFilters />
      <Card isFlush>
        <Loaded query={query}>
          {({ customers, total = 0, next_cursor: next }) =>
            customers.length === 0 && isFiltered ? (
              <Empty
                title="No customer matches"
                hint="The search compares the beginnings of emails and external ids, within the tier and status."
              />
            ) : customers.length === 0 && cursor === undefined ? (
              <Empty
                title="No customers yet"
                hint="Create one here, or when your app first sees a user:"
                curl={curl()}
              />
            ) : (
              <>
                <DataTable
                  label="Customers"
                  rows={customers}
                  columns={COLUMNS}
                  getKey={({ customer }) => customer.id}
                  canSave
                />
                <CursorPager next={next} note={formatAmount(total, 'customer')} />
              </>
            )
          }
        </Loaded>
      </Card>
      {isCreating && <CreateCustomer onClose={() => setCreating(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<CustomerEnvelope>[] = [
  { header: 'Customer', cell: ({ customer }) => <CustomerLink envelope={customer} /> },
  { header: 'Email', cell: ({ customer }) => customer.email, isSecondary: true },
  {
    header: 'Tier',
    cell: ({ subscription }) => subscription?.tier_display_name ?? <span className="text-soft">none</span>,
  },
  {
    header: 'Status',
    cell: ({ subscription }) => (subscription ? <Status value={subscription.subscription_status} /> : '–'),
  },
  { header: 'Created', cell: ({ customer }) => <When at={customer.created_at} />, isSecondary: true },
];

function CustomerLink({ envelope: { id, external_id } }: { envelope: CustomerEnvelope['customer'] }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/customers/$customerId"
      params={{ projectId, customerId: id }}
      className="font-medium hover:underline"
    >
      {external_id}
    </Link>
  );
}

function curl(): string {
  return [
    `curl -X PUT ${location.origin}/api/v1/customers \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    '  -d \'{"external_id":"user-1","email":"user-1@example.com"}\'',
  ].join('\n');
}
