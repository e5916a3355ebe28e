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

/** The price that applies when a tier names none. */
export function usualPrice(cost: number, markup: number): number {
  return Math.ceil(cost * (1 + markup / 100));
}

/** A price beside its cost and the margin between them. */
export function PriceCell({ modelId, unit, cost, usual, text, onChange }: PriceCellProps) {
  const cents = text === '' ? usual : readCents(text);
  const isWrong = cents === undefined;
  const margin = isWrong || cost === undefined ? '' : ` · margin ${formatCents(cents - cost)}`;
  return (
    <div className="w-44">
      <TextField
        label={`Price, ${unit}`}
        aria-label={`Price of ${modelId}, ${unit}`}
        inputMode="decimal"
        placeholder={(usual / 100).toFixed(2)}
        value={text}
        hint={cost === undefined ? `empty = ${formatCents(usual)}` : `cost ${formatCents(cost)}${margin}`}
        fault={isWrong ? 'An amount such as 1.50' : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
