import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { classes } from './classes.js';

const CONTROL =
  'w-full rounded-md border bg-surface px-2.5 placeholder:text-soft/70 disabled:opacity-60 aria-invalid:border-bad';

interface Labeled {
  label: string;
  hint?: ReactNode;
  /** The service's message about this field. */
  fault?: string | undefined;
}

interface Wired {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}

function Field({ label, hint, fault, render }: Labeled & { render: (wired: Wired) => ReactNode }) {
  const id = useId();
  const note = fault ?? hint;
  const wired = { id, ...(note && { 'aria-describedby': `${id}-note` }), ...(fault && { 'aria-invalid': true }) };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {render(wired)}
      {note && (
        <p id={`${id}-note`} className={classes('text-xs', fault ? 'text-bad' : 'text-soft')}>
          {note}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, hint, fault, className, ...rest }: Labeled & InputHTMLAttributes<HTMLInputElement>) {
  const render = (wired: Wired) => <input {...wired} className={classes(CONTROL, 'h-8', className)} {...rest} />;
  return <Field label={label} hint={hint} fault={fault} render={render} />;
}

export function TextArea({
  label,
  hint,
  fault,
  className,
  ...rest
}: Labeled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const render = (wired: Wired) => <textarea {...wired} className={classes(CONTROL, 'py-1.5', className)} {...rest} />;
  return <Field label={label} hint={hint} fault={fault} render={render} />;
}

/** Options as pairs of a value and a text. */
export interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  options: readonly (readonly [string, string])[];
  onPick: (value: string) => void;
}

export function Select({ options, onPick, className, ...rest }: SelectProps) {
  return (
    <select className={classes(CONTROL, 'h-8', className)} onChange={(event) => onPick(event.target.value)} {...rest}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function SelectField({ label, hint, fault, ...rest }: Labeled & SelectProps) {
  return <Field label={label} hint={hint} fault={fault} render={(wired) => <Select {...wired} {...rest} />} />;
}

export function CheckField({ label, hint, ...rest }: Labeled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input id={id} type="checkbox" className="mt-0.5 size-4 accent-accent" {...rest} />
      <label htmlFor={id}>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-xs text-soft">{hint}</span>}
      </label>
    </div>
  );
}
