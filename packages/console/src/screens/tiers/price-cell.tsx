import { formatCents, readCents } from '../../format/money.js';
import { TextField } from '../../parts/field.js';

export interface PriceCellProps {
  modelId: string;
  unit: string;
  /** The provider's price in cents. */
  cost: number;
  markup: number;
  /** As it is typed; empty = the cost with the markup. */
  text: string;
  onChange: (text: string) => void;
}

/** A price beside its cost and the margin between them. */
export function PriceCell({ modelId, unit, cost, markup, text, onChange }: PriceCellProps) {
  const usual = Math.ceil(cost * (1 + markup / 100));
  const cents = text === '' ? usual : readCents(text);
  const isWrong = cents === undefined;
  const margin = isWrong ? '' : ` · margin ${formatCents(cents - cost)}`;
  return (
    <div className="w-44">
      <TextField
        label={`Price, ${unit}`}
        aria-label={`Price of ${modelId}, ${unit}`}
        inputMode="decimal"
        placeholder={(usual / 100).toFixed(2)}
        value={text}
        hint={`cost ${formatCents(cost)}${margin}`}
        fault={isWrong ? 'An amount such as 1.50' : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
