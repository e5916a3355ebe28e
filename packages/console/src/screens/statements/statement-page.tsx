import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Statement } from '../../api/types.js';
import { formatMonth } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Page } from '../../parts/page.js';
import { DownloadStatement } from './download-statement.js';

interface StatementPageProps {
  month: string;
  /** Of the statements in the API. */
  path: string;
  /** Leads back to the list. */
  trail: ReactNode;
  children: ReactNode;
}

/** One month, in a form that the browser prints on paper or as a PDF. */
export function StatementPage({ month, path, trail, children }: StatementPageProps) {
  const actions = (
    <>
      <DownloadStatement path={path} month={month} />
      <Button onClick={() => window.print()}>
        <Printer className="size-4" aria-hidden /> Print or save as PDF
      </Button>
    </>
  );
  return (
    <Page title={`Statement of ${formatMonth(month)}`} trail={trail} actions={actions}>
      {children}
    </Page>
  );
}

const STATES: Readonly<Record<Statement['state'], string>> = {
  open: 'The month is not over; more entries will follow.',
  closed: 'The month has ended; its journal is not sealed yet.',
  final: 'The journal of the month is sealed and cannot change.',
};

/** The facts about every statement's month. */
export function toMonthFacts({ from, to, state }: Pick<Statement, 'from' | 'to' | 'state'>): [string, string][] {
  return [
    ['Period', `${from.slice(0, 10)} to ${lastDay(to)} (UTC)`],
    ['State', STATES[state]],
  ];
}

function lastDay(to: string): string {
  return new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
}
