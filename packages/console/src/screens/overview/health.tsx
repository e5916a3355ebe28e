import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { ProjectUsage, UsageFigures } from '../../api/types.js';
import type { DateRange } from '../../format/date-range.js';
import { formatCount, formatPercent } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';
import { Stat } from '../../parts/card.js';
import { useProjectId } from '../../shell/use-list-search.js';

/** How the requests of this project ended and how long they took. */
export function Health({ dates: { from, to } }: { dates: DateRange }) {
  const projectId = useProjectId();
  const asked = { from, to, interval: 'total' };
  const { data } = useQuery({
    queryKey: ['usage', projectId, asked],
    queryFn: ({ signal }) => get<ProjectUsage>(`/projects/${projectId}/usage`, asked, signal),
  });
  if (!data || data.totals.requests === 0) return null;
  return <Figures totals={data.totals} projectId={projectId} />;
}

function Figures({ totals, projectId }: { totals: UsageFigures; projectId: string }) {
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
      <Stat
        label="Success, this project"
        value={formatPercent(succeeded, requests)}
        note={`of ${formatCount(requests)} requests`}
      />
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
