import type { ButtonHTMLAttributes } from 'react';
import { classes } from './classes.js';

const LOOKS = {
  primary: 'bg-accent text-accent-ink hover:opacity-90',
  plain: 'border bg-surface hover:bg-raised',
  quiet: 'text-soft hover:bg-raised hover:text-ink',
  danger: 'border border-bad/40 bg-surface text-bad hover:bg-bad-wash',
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
  isBusy?: boolean;
}

export function buttonClasses(look: keyof typeof LOOKS = 'plain'): string {
  return classes(
    'inline-flex h-8 items-center gap-1.5 rounded-md px-3 font-medium whitespace-nowrap',
    'disabled:cursor-default disabled:opacity-50',
    LOOKS[look],
  );
}

export function Button({ look = 'plain', isBusy = false, className, disabled, ...rest }: ButtonProps) {
  const all = classes(buttonClasses(look), className ?? 'justify-center');
  return <button type="button" className={all} disabled={disabled || isBusy} aria-busy={isBusy} {...rest} />;
}
