import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { StatementMonth } from '../../api/types.js';
import { formatMonth } from '../../format/times.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { DownloadStatement } from './download-statement.js';

const LIMIT = 24;

/** The months of the project, each with its statement. */
export function StatementsScreen() {
  const projectId = useProjectId();
  const [{ cursor }] = useTexts();
  const query = useQuery({
    queryKey: ['statements', projectId, cursor],
    queryFn: ({ signal }) =>
      get<{ statements: StatementMonth[]; next_cursor?: string }>(
        `/projects/${projectId}/statements`,
        { cursor, limit: LIMIT },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Statements"
      hint="What moved in the wallets of the project's customers, month by month, from the ledger's journal."
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ statements, next_cursor: next }) =>
            statements.length === 0 && cursor === undefined ? (
              <Empty title="No statements yet" hint="The first one begins with the project's first customer." />
            ) : (
              <>
                <DataTable label="Statements" rows={statements} columns={COLUMNS} getKey={({ month }) => month} />
                <CursorPager next={next} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const COLUMNS: readonly Column<StatementMonth>[] = [
  { header: 'Month', cell: ({ month }) => <MonthLink month={month} /> },
  { header: 'State', cell: ({ state }) => <Badge>{state}</Badge> },
  { header: 'File', cell: ({ month }) => <DownloadStatement month={month} />, isFigure: true },
];

function MonthLink({ month }: { month: string }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/statements/$month"
      params={{ projectId, month }}
      className="font-medium text-accent hover:underline"
    >
      {formatMonth(month)}
    </Link>
  );
}
