import { RANGES, type RangeName } from '../format/date-range.js';
import { Select } from '../parts/field.js';
import { useRange } from './use-list-search.js';

const OPTIONS = Object.entries(RANGES);

export function RangePicker() {
  const [range, change] = useRange();
  const pick = (value: string) => change(value as RangeName);
  return <Select aria-label="Range of days" className="!w-40" value={range} options={OPTIONS} onPick={pick} />;
}
