import type { ReactNode } from 'react';
import { classes } from './classes.js';

/** A region that scrolls. The keyboard can reach it. */
export function Scrolling({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section tabIndex={0} aria-label={label} className={classes('overflow-auto', className)}>
      {children}
    </section>
  );
}
