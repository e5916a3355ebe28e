import { formatCents, readCents } from '../../format/money.js';
import { TextField } from '../../parts/field.js';

export interface PriceCellProps {
  modelId: string;
  unit: string;
  /** The provider's price in cents; undefined when it is not known. */
  cost: number | undefined;
  /** The price in cents that applies when none is typed. */
  usual: number;
  /** As it is typed. */
  text: string;
  onChange: (text: string) => void;
}

/** A price beside its cost and the margin between them. */
export function PriceCell({ modelId, unit, cost, usual, text, onChange }: PriceCellProps) {
  const cents = text === '' ? usual : readCents(text);
  const isWrong = cents === undefined;
  return (
    <div className="w-44">
      <TextField
        label={`Price, ${unit}`}
        aria-label={`Price of ${modelId}, ${unit}`}
        inputMode="decimal"
        placeholder={(usual / 100).toFixed(2)}
        value={text}
        hint={cost === undefined ? `empty = ${formatCents(usual)}` : <Margin price={cents} cost={cost} />}
        fault={isWrong ? 'An amount such as 1.50' : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function Margin({ price, cost }: { price: number | undefined; cost: number }) {
  if (price === undefined) return <>cost {formatCents(cost)}</>;
  const isLoss = price < cost;
  return (
    <>
      cost {formatCents(cost)} ·{' '}
      <span className={isLoss ? 'font-medium text-bad' : ''}>
        {isLoss ? 'loss' : 'margin'} {formatCents(Math.abs(price - cost))}
      </span>
    </>
  );
}
