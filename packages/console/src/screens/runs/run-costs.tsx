import type { RunSnapshot } from '../../api/types.js';
import { formatCents } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';

type Line = RunSnapshot['cost_summary']['line_items'][number];

/** What each node has cost, by model. */
export function RunCosts({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return <p className="py-6 text-center text-soft">No model call has been charged yet.</p>;
  return (
    <Card isFlush>
      <DataTable
        label="Costs"
        rows={lines.map((line, i) => ({ ...line, key: String(i) }))}
        columns={COLUMNS}
        getKey={({ key }) => key}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  {
    header: 'Node',
    cell: ({ node_id: node, kind }) => (
      <>
        <span className="font-medium">{node}</span> {kind && <Badge tone="warn">outcome unknown</Badge>}
      </>
    ),
  },
  { header: 'Model', cell: ({ model }) => model, isSecondary: true },
  { header: 'Calls', cell: ({ requests }) => toCount(requests), isFigure: true, isSecondary: true },
  {
    header: 'Tokens',
    isFigure: true,
    cell: ({ input_tokens: input, output_tokens: output }) => `${toCount(input)} → ${toCount(output)}`,
  },
  {
    header: 'Cost',
    isFigure: true,
    cell: ({ usd_cents: cents, held_usd_cents: held }) =>
      held === undefined ? formatCents(cents) : `at most ${formatCents(held)}`,
  },
];

function toCount(count: number | undefined): string {
  return count === undefined ? '–' : formatCount(count);
}
