import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { get } from '../../api/client.js';
import { projectsQuery } from '../../api/queries.js';
import type { Statement } from '../../api/types.js';
import { formatExactMoney } from '../../format/money.js';
import { formatMonth } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { describeLine } from './describe-line.js';
import { DownloadStatement } from './download-statement.js';

/** One month, in a form that the browser prints on paper or as a PDF. */
export function StatementScreen() {
  const projectId = useProjectId();
  const month = useParams({ strict: false }).month as string;
  const query = useQuery({
    queryKey: ['statements', projectId, 'month', month],
    queryFn: ({ signal }) => get<{ statement: Statement }>(`/projects/${projectId}/statements/${month}`, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/statements" params={{ projectId }} className="hover:underline">
      Statements
    </Link>
  );
  const actions = (
    <>
      <DownloadStatement month={month} />
      <Button onClick={() => window.print()}>
        <Printer className="size-4" aria-hidden /> Print or save as PDF
      </Button>
    </>
  );
  return (
    <Page title={`Statement of ${formatMonth(month)}`} trail={trail} actions={actions}>
      <Loaded query={query}>{({ statement }) => <StatementBody statement={statement} />}</Loaded>
    </Page>
  );
}

const STATES: Readonly<Record<Statement['state'], string>> = {
  open: 'The month is not over; more entries will follow.',
  closed: 'The month has ended; its journal is not sealed yet.',
  final: 'The journal of the month is sealed and cannot change.',
};

function StatementBody({ statement }: { statement: Statement }) {
  const projects = useQuery(projectsQuery);
  const project = projects.data?.projects.find(({ id }) => id === statement.project_id);
  const facts: [string, string][] = [
    ['Project', project?.name ?? statement.project_id],
    ['Period', `${statement.from.slice(0, 10)} to ${lastDay(statement.to)} (UTC)`],
    ['State', STATES[statement.state]],
  ];
  return (
    <>
      <Card>
        <Facts rows={facts} />
      </Card>
      <Card title="Wallets of the customers" isFlush>
        <DataTable
          label="Lines of the statement"
          rows={toRows(statement)}
          columns={COLUMNS}
          getKey={({ key }) => key}
        />
      </Card>
    </>
  );
}

interface Row {
  key: string;
  text: string;
  model: string;
  entries: string;
  amount: string;
}

function toRows({ opening_balance_microcents: opening, closing_balance_microcents: closing, lines }: Statement): Row[] {
  const balance = (key: string, text: string, amount: number): Row => ({
    ...{ key, text, model: '', entries: '' },
    amount: formatExactMoney(amount),
  });
  return [
    balance('opening', 'Opening balance', opening),
    ...lines.map(({ kind, model = '', entries, amount_microcents: amount }) => ({
      key: `${kind} ${model}`,
      text: describeLine(kind),
      model,
      entries: entries === 0 ? '' : entries.toLocaleString('en-US'),
      amount: formatExactMoney(amount),
    })),
    balance('closing', 'Closing balance', closing),
  ];
}

const isBalance = ({ key }: Row) => key === 'opening' || key === 'closing';

const COLUMNS: readonly Column<Row>[] = [
  { header: 'Line', cell: (row) => (isBalance(row) ? <strong>{row.text}</strong> : row.text) },
  { header: 'Model', cell: ({ model }) => model, isSecondary: true },
  { header: 'Entries', cell: ({ entries }) => entries, isFigure: true, isSecondary: true },
  { header: 'Amount', cell: (row) => (isBalance(row) ? <strong>{row.amount}</strong> : row.amount), isFigure: true },
];

function lastDay(to: string): string {
  return new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
}
