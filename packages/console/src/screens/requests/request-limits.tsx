import type { CheckedLimit, RequestDetail } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';

const NAMES: Readonly<Record<string, string>> = {
  allowance: "The tier's allowance",
  wallet: "The customer's wallet",
  key: 'The limit of the key',
  owner: 'Your prepaid balance',
  daily_cap: 'The daily cap on granted credit',
  quota: "The account's monthly quota",
};

const VERDICTS: Readonly<Record<CheckedLimit['verdict'], readonly [Tone, string]>> = {
  allowed: ['good', 'allowed'],
  refused: ['bad', 'refused'],
  not_needed: ['neutral', 'not needed'],
};

const columns: readonly Column<CheckedLimit>[] = [
  {
    header: 'Limit',
    cell: ({ limit, total, available_before: available, unit }) => (
      <>
        <div className="font-medium">{NAMES[limit] ?? limit}</div>
        {total !== undefined && <div className="text-xs text-soft">{toAmount(total, unit)} in total</div>}
        {total === undefined && available === undefined && <div className="text-xs text-soft">no bound</div>}
      </>
    ),
  },
  {
    header: 'Used before',
    isFigure: true,
    isSecondary: true,
    cell: ({ used_before: used, unit }) => toAmount(used, unit),
  },
  {
    header: 'Free before',
    isFigure: true,
    isSecondary: true,
    cell: ({ available_before: free, unit }) => toAmount(free, unit),
  },
  {
    header: 'Held or needed',
    isFigure: true,
    cell: ({ held, required, unit }) => toAmount(held ?? required, unit),
  },
  { header: 'Charged', isFigure: true, isSecondary: true, cell: ({ charged, unit }) => toAmount(charged, unit) },
  { header: 'Verdict', cell: ({ verdict }) => <Verdict value={verdict} /> },
];

/** The verdict of the admission, by limit. */
export function RequestLimits({ request: { admission, error_code: code, status } }: { request: RequestDetail }) {
  const isRefused = admission ? admission.verdict === 'refused' : status === 'refused';
  const aside = isRefused ? <Badge tone="bad">refused</Badge> : admission && <Badge tone="good">allowed</Badge>;
  return (
    <Card title="Admission" aside={aside} isFlush={admission !== undefined}>
      {admission ? (
        <DataTable label="Limits" rows={admission.limits} columns={columns} getKey={({ limit }) => limit} />
      ) : (
        <p className="text-soft">
          {isRefused
            ? `No limit was checked: ${code ?? 'another rule'} refused the request before.`
            : 'The limits of this request are not kept any more.'}
        </p>
      )}
    </Card>
  );
}

function Verdict({ value }: { value: CheckedLimit['verdict'] }) {
  const [tone, text] = VERDICTS[value];
  return <Badge tone={tone}>{text}</Badge>;
}

function toAmount(amount: number | undefined, unit: CheckedLimit['unit']): string {
  if (amount === undefined) return '–';
  return unit === 'units' ? `${formatCount(amount)} units` : formatMoney(amount);
}
