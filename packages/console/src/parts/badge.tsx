import type { ReactNode } from 'react';
import { classes } from './classes.js';

const TONES = {
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  accent: 'bg-accent-wash text-accent',
  neutral: 'bg-raised text-soft',
} as const;

export type Tone = keyof typeof TONES;

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  const all = 'inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap';
  return <span className={classes(all, TONES[tone])}>{children}</span>;
}

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  trialing: 'accent',
  succeeded: 'good',
  delivered: 'good',
  success: 'good',
  completed: 'good',
  running: 'accent',
  processing: 'accent',
  pending: 'accent',
  waiting: 'warn',
  past_due: 'warn',
  refused: 'warn',
  unreported: 'warn',
  blocked: 'warn',
  timeout: 'bad',
  failed: 'bad',
  error: 'bad',
  unpaid: 'bad',
  disputed: 'warn',
  lost: 'bad',
  won: 'good',
};

/** A status of the API in its color. */
export function Status({ value }: { value: string }) {
  return <Badge tone={STATUS_TONES[value] ?? 'neutral'}>{value.replaceAll('_', ' ')}</Badge>;
}
