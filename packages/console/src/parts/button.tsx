import type { Permission } from '@tollgate/api/identity';
import type { ButtonHTMLAttributes } from 'react';
import { useMay, useRole } from '../shell/role.js';
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
  /** Disabled for roles that lack it. */
  needs?: Permission | undefined;
}

export function buttonClasses(look: keyof typeof LOOKS = 'plain'): string {
  return classes(
    'inline-flex h-8 items-center gap-1.5 rounded-md px-3 font-medium whitespace-nowrap',
    'disabled:cursor-default disabled:opacity-50',
    LOOKS[look],
  );
}

export function Button({ look = 'plain', isBusy = false, className, disabled, needs, ...rest }: ButtonProps) {
  const isPermitted = useMay(needs);
  const role = useRole();
  const all = classes(buttonClasses(look), className ?? 'justify-center');
  return (
    <button
      type="button"
      className={all}
      disabled={disabled || isBusy || !isPermitted}
      aria-busy={isBusy}
      {...(!isPermitted && { title: `Your role, ${role ?? 'none'}, does not permit this.` })}
      {...rest}
    />
  );
}
