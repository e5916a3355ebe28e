import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import type { UnchargedUsage } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { Card } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Select } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

const LIMIT = 50;

const KINDS = [
  ['', 'Both kinds'],
  ['overrun', 'Overrun'],
  ['unreconciled', 'Unreconciled'],
] as const;

/** Requests with usage that no customer paid for. */
export function UnchargedScreen() {
  const projectId = useProjectId();
  const [{ metric: kind = '', cursor }, change] = useTexts();
  const query = useQuery({
    queryKey: ['uncharged', projectId, kind, cursor],
    queryFn: ({ signal }) =>
      get<{ usage: UnchargedUsage[]; next_cursor?: string }>(
        `/projects/${projectId}/uncharged-usage`,
        { kind, cursor, limit: LIMIT },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const filter = (
    <Select
      aria-label="Kind"
      className="!w-40"
      value={kind}
      options={KINDS}
      onPick={(value) => change({ metric: value })}
    />
  );
  return (
    <Page
      title="Uncharged usage"
      hint="Overrun is usage beyond what was held. Unreconciled usage was never reported: the figure is an upper bound."
      actions={filter}
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ usage, next_cursor: next }) =>
            usage.length === 0 && cursor === undefined ? (
              <Empty title="No uncharged usage" hint="Every request was charged for what it used." />
            ) : (
              <>
                <DataTable label="Uncharged usage" rows={usage} columns={COLUMNS} getKey={toKey} />
                <CursorPager next={next} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const toKey = (row: UnchargedUsage) => `${row.occurred_at} ${row.request_id}`;

const COLUMNS: readonly Column<UnchargedUsage>[] = [
  { header: 'When', cell: ({ occurred_at: at }) => <When at={at} /> },
  { header: 'Request', cell: ({ request_id: id }) => <Id value={id} />, isSecondary: true },
  { header: 'Model', cell: ({ model }) => model, isSecondary: true },
  { header: 'Customer', cell: ({ customer_id: id }) => <CustomerLink id={id} />, isSecondary: true },
  { header: 'Overrun', cell: ({ overrun_microcents: amount }) => formatMoney(amount), isFigure: true },
  { header: 'Unreconciled', cell: ({ unreconciled_microcents: amount }) => formatMoney(amount), isFigure: true },
];
