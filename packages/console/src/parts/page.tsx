import { type ReactNode, useEffect } from 'react';
import { classes } from './classes.js';

export interface PageProps {
  title: string;
  /** Above the title: where the page belongs. */
  trail?: ReactNode;
  hint?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  /** As wide as the window: for tables with many columns. */
  isWide?: boolean;
}

export function Page({ title, trail, hint, actions, children, isWide = false }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tollgate`;
  }, [title]);
  return (
    <div className={classes('mx-auto flex w-full flex-col gap-5 px-4 py-6 md:px-8', !isWide && 'max-w-6xl')}>
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {trail !== undefined && <div className="mb-1 text-soft print:hidden">{trail}</div>}
          <h1 className="wrap-anywhere text-xl font-semibold">{title}</h1>
          {hint !== undefined && <p className="mt-0.5 text-soft">{hint}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
