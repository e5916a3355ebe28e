import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';

/** A header that is sent to a server. The service stores the value encrypted and never returns it. */
export interface HeaderRow {
  key: number;
  name: string;
  value: string;
}

interface HeaderRowsProps {
  rows: readonly HeaderRow[];
  fault: string | undefined;
  onChange: (rows: readonly HeaderRow[]) => void;
}

export function HeaderRows({ rows, fault, onChange }: HeaderRowsProps) {
  const change = (key: number, change: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const add = () => onChange([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: '', value: '' }]);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Headers</legend>
      {rows.map(({ key, name, value }, index) => (
        <div key={key} className="grid grid-cols-2 gap-2">
          <TextField
            label={`Name of header ${index + 1}`}
            placeholder="Authorization"
            autoComplete="off"
            value={name}
            fault={index === 0 ? fault : undefined}
            onChange={(event) => change(key, { name: event.target.value })}
          />
          <TextField
            label={`Value of header ${index + 1}`}
            type="password"
            autoComplete="new-password"
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
          />
        </div>
      ))}
      <p className="text-xs text-soft">
        Sent with every request. The values are stored encrypted and never shown again.
      </p>
      <div>
        <Button onClick={add}>Add a header</Button>
      </div>
    </fieldset>
  );
}

/** Returns the headers of the rows that have a name. */
export function toHeaders(rows: readonly HeaderRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, value }) => [name.trim(), value.trim()]).filter(([name]) => name !== ''));
}
