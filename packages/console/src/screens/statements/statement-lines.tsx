import type { Statement } from '../../api/types.js';
import { formatExactMoney } from '../../format/money.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { describeLine } from './describe-line.js';

type Figures = Pick<Statement, 'opening_balance_microcents' | 'closing_balance_microcents' | 'lines'>;

/** The balance before a month, what moved in it, and the balance after it. */
export function StatementLines({ title, statement }: { title: string; statement: Figures }) {
  return (
    <Card title={title} isFlush>
      <DataTable label="Lines of the statement" rows={toRows(statement)} columns={COLUMNS} getKey={({ key }) => key} />
    </Card>
  );
}

interface Row {
  key: string;
  text: string;
  model: string;
  entries: string;
  amount: string;
}

function toRows({ opening_balance_microcents: opening, closing_balance_microcents: closing, lines }: Figures): Row[] {
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
