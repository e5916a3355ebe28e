import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import { saveFile } from '../../api/save-file.js';
import type { ProjectUsage } from '../../api/types.js';
import { toDateRange } from '../../format/date-range.js';
import { toCsv } from '../../format/to-csv.js';
import { Button } from '../../parts/button.js';
import { Card, Stat } from '../../parts/card.js';
import { Select } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { RangePicker } from '../../shell/range-picker.js';
import { useProjectId, useRange, useTexts } from '../../shell/use-list-search.js';
import { GroupTable } from './group-table.js';
import { METRICS, type MetricName, readMetric } from './metrics.js';
import { UsageChart } from './usage-chart.js';

const GROUPS = [
  ['model', 'by model'],
  ['customer', 'by customer'],
  ['key', 'by key'],
  ['tier', 'by tier'],
  ['status', 'by outcome'],
] as const;

const OPTIONS = Object.entries(METRICS).map(([name, { label }]) => [name, label] as const);

export function UsageScreen() {
  const [range] = useRange();
  const [{ metric: metricText, group = 'model' }, change] = useTexts();
  const metric = readMetric(metricText);
  const { from, to, days } = toDateRange(range, Date.now());
  const byDay = useUsage({ from, to, interval: 'day' });
  const byGroup = useUsage({ from, to, interval: 'total', group_by: group });
  const save = () => byGroup.data && saveFile(`usage-${group}-${from}.csv`, toCsv(byGroup.data.usage));
  const actions = (
    <>
      <Select
        aria-label="Figure"
        className="!w-44"
        value={metric}
        options={OPTIONS}
        onPick={(value) => change({ metric: value })}
      />
      <Select
        aria-label="Group"
        className="!w-36"
        value={group}
        options={GROUPS}
        onPick={(value) => change({ group: value })}
      />
      <RangePicker />
    </>
  );
  return (
    <Page
      title="Usage"
      hint="This project, by days of UTC, seconds late. Exact bills are those of the ledger."
      actions={actions}
    >
      <Loaded query={byDay}>
        {({ usage, totals }) => (
          <>
            <Totals totals={totals} />
            <Card title={`${METRICS[metric].label} by day`}>
              {totals.requests === 0 ? (
                <Empty title="No requests in these days" hint="Send one from the playground, or choose more days." />
              ) : (
                <UsageChart rows={usage} days={days} metric={METRICS[metric]} />
              )}
            </Card>
          </>
        )}
      </Loaded>
      <Card
        title={GROUPS.find(([id]) => id === group)?.[1].replace('by', 'By') ?? ''}
        aside={<Button onClick={save}>Save as CSV</Button>}
        isFlush
      >
        <Loaded query={byGroup}>{({ usage }) => <GroupTable rows={usage} group={group} />}</Loaded>
      </Card>
    </Page>
  );
}

function useUsage(asked: Record<string, string>) {
  const projectId = useProjectId();
  return useQuery({
    queryKey: ['usage', projectId, asked],
    queryFn: ({ signal }) => get<ProjectUsage>(`/projects/${projectId}/usage`, asked, signal),
    placeholderData: keepPreviousData,
  });
}

const SHOWN: readonly MetricName[] = ['revenue', 'margin', 'requests', 'errors', 'latency', 'first'];

function Totals({ totals }: { totals: ProjectUsage['totals'] }) {
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-6">
      {SHOWN.map((name) => {
        const { label, read, format } = METRICS[name];
        const value = read(totals);
        return <Stat key={name} label={label} value={value === undefined ? '–' : format(value)} />;
      })}
    </div>
  );
}
