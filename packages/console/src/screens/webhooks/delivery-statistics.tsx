import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { WebhookStatistics } from '../../api/types.js';
import { formatCount, formatPercent } from '../../format/numbers.js';
import { formatDay, formatDuration } from '../../format/times.js';
import { BarChart } from '../../parts/bar-chart.js';
import { Card, Stat } from '../../parts/card.js';
import { Select } from '../../parts/field.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

const REFRESH_MS = 5_000;

const RANGES = [
  ['hour', 'Last 24 hours'],
  ['day', 'Last 30 days'],
] as const;

const SERIES = [
  { label: 'delivered', color: 'var(--series-2)' },
  { label: 'failed', color: 'var(--bad)' },
];

/** How the deliveries of a webhook ended, and how fast its endpoint answers. */
export function DeliveryStatistics({ webhookId }: { webhookId: string }) {
  const projectId = useProjectId();
  const [interval, setInterval] = useState('hour');
  const query = useQuery({
    queryKey: ['deliveries', webhookId, 'statistics', interval],
    queryFn: ({ signal }) =>
      get<WebhookStatistics>(`/projects/${projectId}/webhooks/${webhookId}/statistics`, { interval }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const range = <Select aria-label="Range" className="!w-40" value={interval} options={RANGES} onPick={setInterval} />;
  return (
    <Card title="Statistics" aside={range}>
      <Loaded query={query}>{(statistics) => <Figures statistics={statistics} />}</Loaded>
    </Card>
  );
}

function Figures({ statistics: { total, intervals, interval } }: { statistics: WebhookStatistics }) {
  const { pending, processing, delivered, failed } = total.deliveries;
  const { p50, p95, p99 } = total.latency_ms;
  const toLabel = (at: string) => (interval === 'day' ? formatDay(at) : `${at.slice(11, 13)}:00 UTC`);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Success"
          value={formatPercent(delivered, delivered + failed)}
          note={`${formatCount(delivered)} delivered`}
        />
        <Stat label="Failed" value={formatCount(failed)} note="after all attempts" />
        <Stat label="Waiting" value={formatCount(pending + processing)} note="for an attempt or a retry" />
        <Stat label="Latency, p95" value={toTime(p95)} note={`median ${toTime(p50)}, p99 ${toTime(p99)}`} />
      </div>
      {intervals.length > 1 && (
        <BarChart
          label="Deliveries"
          series={SERIES}
          points={intervals.map(({ at, deliveries }) => ({
            label: toLabel(at),
            values: [deliveries.delivered, deliveries.failed],
          }))}
          format={formatCount}
        />
      )}
    </div>
  );
}

function toTime(ms: number | undefined): string {
  return ms === undefined ? '–' : formatDuration(ms);
}
