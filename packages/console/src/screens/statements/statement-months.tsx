import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { StatementMonth } from '../../api/types.js';
import { formatMonth } from '../../format/times.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { DownloadStatement } from './download-statement.js';

const LIMIT = 24;

/** The pages of one month. */
type MonthPage = '/p/$projectId/statements/$month' | '/p/$projectId/money/statements/$month';

interface StatementMonthsProps {
  /** Of the statements in the API. */
  path: string;
  queryKey: readonly string[];
  to: MonthPage;
  /** When the first statement is made. */
  emptyHint: string;
}

/** A list of months, each with its statement. */
export function StatementMonths({ path, queryKey, to, emptyHint }: StatementMonthsProps) {
  const [{ cursor }] = useTexts();
  const query = useQuery({
    queryKey: [...queryKey, cursor],
    queryFn: ({ signal }) =>
      get<{ statements: StatementMonth[]; next_cursor?: string }>(path, { cursor, limit: LIMIT }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Card isFlush>
      <Loaded query={query}>
        {({ statements, next_cursor: next }) =>
          statements.length === 0 && cursor === undefined ? (
            <Empty title="No statements yet" hint={emptyHint} />
          ) : (
            <>
              <DataTable
                label="Statements"
                rows={statements}
                columns={toColumns(path, to)}
                getKey={({ month }) => month}
              />
              <CursorPager next={next} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

const toColumns = (path: string, to: MonthPage): readonly Column<StatementMonth>[] => [
  { header: 'Month', cell: ({ month }) => <MonthLink to={to} month={month} /> },
  { header: 'State', cell: ({ state }) => <Badge>{state}</Badge> },
  { header: 'File', cell: ({ month }) => <DownloadStatement path={path} month={month} />, isFigure: true },
];

function MonthLink({ to, month }: { to: MonthPage; month: string }) {
  const projectId = useProjectId();
  return (
    <Link to={to} params={{ projectId, month }} className="font-medium text-accent hover:underline">
      {formatMonth(month)}
    </Link>
  );
}
