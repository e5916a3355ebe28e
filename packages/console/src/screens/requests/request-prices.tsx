import type { RequestDetail, UnitPrices } from '../../api/types.js';
import { formatCents, formatMoney } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';

/** Tokens of one kind, and what a million of them costs each payer. */
interface Line {
  kind: string;
  count: number;
  note?: string;
  price: Exclude<keyof UnitPrices, 'cached_input_per_million_cents'>;
}

/** Tokens by kind with the prices that applied, and the sums. */
export function RequestPrices({ request }: { request: RequestDetail }) {
  const { prices } = request;
  const lines = toLines(request);
  const columns: readonly Column<Line>[] = [
    {
      header: 'Kind',
      cell: ({ kind, note }) => (
        <>
          <div>{kind}</div>
          {note !== undefined && <div className="text-xs text-soft">{note}</div>}
        </>
      ),
    },
    { header: 'Count', isFigure: true, cell: ({ count }) => formatCount(count) },
    { header: 'Customer price', isFigure: true, isSecondary: true, cell: (line) => toPrice(prices?.customer, line) },
    { header: 'Your cost', isFigure: true, isSecondary: true, cell: (line) => toPrice(prices?.owner, line) },
  ];
  return (
    <Card
      title="Tokens and prices"
      aside={prices && <span className="text-xs text-soft">US dollars per million tokens, as of the admission</span>}
      isFlush
    >
      <DataTable label="Tokens and prices" rows={lines} columns={columns} getKey={({ kind }) => kind} />
      <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t px-4 py-3">
        <Sum name="Charged to the customer" microcents={request.revenue_microcents} />
        <Sum name="Cost of the provider" microcents={request.cost_microcents} />
        <Sum name="Margin" microcents={request.revenue_microcents - request.cost_microcents} />
        {request.overrun_microcents > 0 && <Sum name="Overrun" microcents={request.overrun_microcents} />}
        {request.unreconciled_microcents > 0 && (
          <Sum name="Unreconciled, at most" microcents={request.unreconciled_microcents} />
        )}
      </dl>
    </Card>
  );
}

function Sum({ name, microcents }: { name: string; microcents: number }) {
  return (
    <div>
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="font-semibold tabular-nums">{formatMoney(microcents)}</dd>
    </div>
  );
}

function toLines(row: RequestDetail): Line[] {
  const { cache_read_input_tokens: read, cache_write_input_tokens: written, reasoning_tokens: reasoning } = row;
  const cached = [
    read > 0 && `${formatCount(read)} from a cache`,
    written > 0 && `${formatCount(written)} into a cache`,
  ];
  const input = cached.filter((text) => text !== false).join(', ');
  const output = reasoning > 0 ? { note: `${formatCount(reasoning)} of reasoning` } : {};
  return [
    { kind: 'Input', count: row.input_tokens, price: 'input_per_million_cents', ...(input !== '' && { note: input }) },
    { kind: 'Output', count: row.output_tokens, price: 'output_per_million_cents', ...output },
    ...(row.images > 0 ? [{ kind: 'Images', count: row.images, price: 'per_image_cents' as const }] : []),
  ];
}

function toPrice(prices: UnitPrices | undefined, { price }: Line): string {
  if (!prices) return '–';
  const text = formatCents(prices[price]);
  const { cached_input_per_million_cents: cached } = prices;
  if (price === 'input_per_million_cents' && cached !== undefined) return `${text}, cached ${formatCents(cached)}`;
  return price === 'per_image_cents' ? `${text} each` : text;
}
