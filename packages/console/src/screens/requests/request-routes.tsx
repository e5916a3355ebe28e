import type { RequestDetail, RouteAttempt } from '../../api/types.js';
import { formatDuration } from '../../format/times.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';

const TONES: Readonly<Record<string, Tone>> = { answered: 'good', failed: 'bad', canceled: 'warn' };

const FAILURES: Readonly<Record<string, string>> = {
  response: 'an error was answered',
  payment: 'the account at the provider is not funded',
  timeout: 'no answer in time',
  transport: 'the connection failed',
  invalid_response: 'the answer could not be read',
  overloaded: 'too many requests in flight',
  unwritten: 'too many large requests at once',
  unauthorized: 'no credential could be obtained',
};

type Row = RouteAttempt & { order: number };

const columns: readonly Column<Row>[] = [
  { header: 'Try', cell: ({ order }) => <span className="text-soft tabular-nums">{order}</span> },
  {
    header: 'Provider',
    cell: ({ provider, connection = provider, own_connection: isOwn, model }) => (
      <>
        <div className="font-medium">{isOwn ? `${connection} (your key)` : connection}</div>
        <code className="font-mono text-xs text-soft wrap-anywhere">{model}</code>
      </>
    ),
  },
  { header: 'Outcome', cell: ({ outcome }) => <Badge tone={TONES[outcome] ?? 'neutral'}>{outcome}</Badge> },
  { header: 'Reason', isSecondary: true, cell: (row) => toReason(row) },
  { header: 'Took', isFigure: true, cell: ({ duration_ms: ms }) => formatDuration(ms) },
];

/** The calls to providers in the order of the fallback. */
export function RequestRoutes({ request: { attempts = [], cached, status } }: { request: RequestDetail }) {
  const rows = attempts.map((attempt, i) => ({ ...attempt, order: i + 1 }));
  return (
    <Card title="Routes tried" isFlush={rows.length > 0}>
      {rows.length > 0 ? (
        <DataTable label="Routes tried" rows={rows} columns={columns} getKey={({ order }) => String(order)} />
      ) : (
        <p className="text-soft">{toHint(cached, status)}</p>
      )}
    </Card>
  );
}

function toReason({ outcome, failure, http_status: status }: Row): string {
  if (outcome === 'skipped') return 'the route lacks a capability that the request needs';
  if (failure === undefined) return '–';
  return `${FAILURES[failure] ?? failure}${status === undefined ? '' : `, HTTP ${status}`}`;
}

function toHint(isCached: boolean, status: string): string {
  if (isCached) return 'No provider was asked: the answer came from the cache.';
  return status === 'refused' ? 'No provider was asked.' : 'The routes of this request were not recorded.';
}
