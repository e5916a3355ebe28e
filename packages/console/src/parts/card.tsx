import type { ReactNode } from 'react';
import { classes } from './classes.js';

export interface CardProps {
  title?: string;
  /** Beside the title, at the right. */
  aside?: ReactNode;
  className?: string;
  /** Content up to the border, for tables. */
  isFlush?: boolean;
  children: ReactNode;
}

export function Card({ title, aside, className, isFlush = false, children }: CardProps) {
  return (
    <section className={classes('min-w-0 rounded-lg border bg-surface', className)}>
      {title !== undefined && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1.5 border-b px-4 py-1.5">
          <h2 className="font-semibold">{title}</h2>
          {aside}
        </header>
      )}
      <div className={isFlush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}

export function Stat({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="min-w-0 rounded-lg border bg-surface px-4 py-3">
      <div className="text-soft">{label}</div>
      <div className="mt-0.5 truncate text-xl font-semibold tabular-nums">{value}</div>
      {note !== undefined && <div className="mt-0.5 text-xs wrap-anywhere text-soft">{note}</div>}
    </div>
  );
}

/** Pairs of a name and a value. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-2">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
