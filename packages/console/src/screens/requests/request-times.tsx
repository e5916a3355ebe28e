import type { RequestDetail } from '../../api/types.js';
import { formatDuration } from '../../format/times.js';
import { Card } from '../../parts/card.js';

interface Span {
  name: string;
  ms: number;
  color: string;
}

/** Where the time went. */
export function RequestTimes({ request }: { request: RequestDetail }) {
  const spans = toSpans(request);
  const total = spans.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <Card title="Time" {...(total > 0 && { aside: <span className="tabular-nums">{formatDuration(total)}</span> })}>
      {spans.length === 0 ? (
        <p className="text-soft">The time of this request was not recorded.</p>
      ) : (
        <>
          <div className="mb-4 flex h-3 gap-px overflow-hidden rounded bg-raised" aria-hidden>
            {spans.map(({ name, ms, color }) => (
              <div key={name} className={color} style={{ width: `${(100 * ms) / Math.max(1, total)}%` }} />
            ))}
          </div>
          <dl className="flex flex-col gap-2">
            {spans.map(({ name, ms, color }) => (
              <div key={name} className="flex items-center gap-2">
                <span className={`size-2.5 shrink-0 rounded-full ${color}`} aria-hidden />
                <dt className="min-w-0 flex-1 text-soft">{name}</dt>
                <dd className="tabular-nums">{formatDuration(ms)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Card>
  );
}

function toSpans({ admission_ms, duration_ms, first_output_ms, streaming, status, hold }: RequestDetail): Span[] {
  const all: (Span | undefined)[] = [toSpan('Arrival and admission', admission_ms, 'bg-accent')];
  const served = status === 'refused' ? undefined : duration_ms;
  const first = streaming ? first_output_ms : undefined;
  if (served !== undefined && first !== undefined) {
    all.push(toSpan('Provider, until its answer starts', Math.min(first, served), 'bg-warn'));
    all.push(toSpan('Provider, until its answer ends', Math.max(0, served - first), 'bg-good'));
  } else all.push(toSpan('Provider', served, 'bg-good'));
  if (hold?.opened_at !== undefined && hold.ended_at !== undefined && served !== undefined) {
    const heldMs = Date.parse(hold.ended_at) - Date.parse(hold.opened_at);
    all.push(toSpan('Dispatch and settlement', Math.max(0, heldMs - served), 'bg-soft'));
  }
  return all.filter((span) => span !== undefined);
}

function toSpan(name: string, ms: number | undefined, color: string): Span | undefined {
  return ms === undefined ? undefined : { name, ms, color };
}
