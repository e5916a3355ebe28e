import { Link } from '@tanstack/react-router';
import type { UsageFigures } from '../../api/types.js';
import { formatCount, formatPercent } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';
import { Stat } from '../../parts/card.js';
import { useProjectId } from '../../shell/use-list-search.js';

/** How the requests ended and how long they took. */
export function Health({ totals }: { totals: UsageFigures }) {
  const projectId = useProjectId();
  if (totals.requests === 0) return null;
  const { requests, succeeded, failed, refused } = totals;
  const errors = (
    <Link
      to="/p/$projectId/requests"
      params={{ projectId }}
      search={{ status: failed > 0 ? 'failed' : 'refused' }}
      className="hover:underline"
    >
      {formatCount(failed + refused)}
    </Link>
  );
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Success" value={formatPercent(succeeded, requests)} note={`of ${formatCount(requests)} requests`} />
      <Stat
        label="Failed and refused"
        value={errors}
        note={`${formatCount(failed)} failed, ${formatCount(refused)} refused`}
      />
      <Stat
        label="Latency, p95"
        value={toTime(totals.duration_p95_ms)}
        note={`median ${toTime(totals.duration_p50_ms)}`}
      />
      <Stat label="First output, p95" value={toTime(totals.first_output_p95_ms)} note="of streams" />
    </div>
  );
}

function toTime(ms: number | undefined): string {
  return ms === undefined ? '–' : formatDuration(ms);
}
