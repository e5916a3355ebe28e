import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import type { ProjectUsage, UsageFigures } from '../../api/types.js';
import { formatAmount, formatPercent } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';
import { Badge } from '../../parts/badge.js';
import { useProjectId } from '../../shell/use-list-search.js';

const REFRESH_MS = 30_000;
/** Shares of failed answers from which a model counts as shaky, and as failing. */
const SHAKY_MIN = 0.01;
const FAILING_MIN = 0.2;

/** How the models have answered this project in the last 24 hours, by model. */
export function useModelHealth(): ReadonlyMap<string, UsageFigures> {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['usage', projectId, 'model health'],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - 86_400_000).toISOString();
      const asked = { from, interval: 'total', group_by: 'model' };
      return get<ProjectUsage>(`/projects/${projectId}/usage`, asked, signal);
    },
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  return new Map(data?.usage.flatMap((row) => (row.group === undefined ? [] : [[row.group, row] as const])));
}

/** Refusals are not the model's. */
export function ModelHealth({ figures }: { figures: UsageFigures | undefined }) {
  const answers = figures ? figures.succeeded + figures.failed : 0;
  if (!figures || answers === 0) return <span className="text-soft">not used</span>;
  const failed = figures.failed / answers;
  const tone = failed >= FAILING_MIN ? 'bad' : failed >= SHAKY_MIN ? 'warn' : 'good';
  const { duration_p95_ms: p95 } = figures;
  return (
    <>
      <Badge tone={tone}>{formatPercent(figures.succeeded, answers)} succeeded</Badge>
      <div className="mt-0.5 text-xs whitespace-nowrap text-soft">
        {formatAmount(answers, 'answer')}
        {p95 !== undefined && `, p95 ${formatDuration(p95)}`}
      </div>
    </>
  );
}
