import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { call, get } from '../../api/client.js';
import type { RunSnapshot } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatCents } from '../../format/money.js';
import { formatDuration } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card, Stat } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { Json } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Failure, Loaded, Loading } from '../../parts/states.js';
import { Tabs } from '../../parts/tabs.js';
import { useProjectId, useTab } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';
import { PendingToolCalls } from './pending-tools.js';
import { RunCosts } from './run-costs.js';
import { RunSteps } from './run-steps.js';
import { RunTimeline } from './run-timeline.js';
import { StartRun } from './start-run.js';
import { useRunEvents } from './use-run-events.js';
import { Waterfall } from './waterfall.js';

const RunGraph = lazy(() => import('./run-graph.js'));

const ENDED = new Set(['succeeded', 'failed', 'canceled']);

export function RunScreen() {
  const projectId = useProjectId();
  const { runId } = useParams({ from: '/p/$projectId/runs/$runId' });
  const client = useQueryClient();
  const [tab, setTab] = useTab('graph');
  const path = `/projects/${projectId}/runs/${runId}`;
  const key = ['run', projectId, runId];
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => get<RunSnapshot>(path, {}, signal) });
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: key }), [client, projectId, runId]);
  const run = query.data;
  // A query that has no data yet cannot be refreshed: it would show the state of its start for good.
  const events = useRunEvents(run && path, refresh);
  const trail = (
    <Link to="/p/$projectId/runs" params={{ projectId }} className="hover:underline">
      Runs
    </Link>
  );
  return (
    <Page
      title={run?.name ?? runId.slice(0, 8)}
      trail={trail}
      actions={run && (ENDED.has(run.status) ? <StartAgain run={run} /> : <CancelRun path={path} queryKey={key} />)}
    >
      <Loaded query={query}>
        {(snapshot) => (
          <>
            <Summary run={snapshot} />
            {snapshot.status === 'waiting' && <PendingToolCalls path={path} status={snapshot.status} />}
            <Tabs
              value={tab}
              onChange={setTab}
              tabs={[
                { id: 'graph', label: 'Graph', content: <Graph run={snapshot} /> },
                { id: 'nodes', label: 'Nodes', content: <Waterfall run={snapshot} /> },
                { id: 'timeline', label: 'Timeline', content: <RunTimeline events={events} /> },
                {
                  id: 'steps',
                  label: 'Model calls',
                  content: <RunSteps path={path} isEnded={ENDED.has(snapshot.status)} />,
                },
                { id: 'costs', label: 'Costs', content: <RunCosts lines={snapshot.cost_summary.line_items} /> },
                { id: 'outputs', label: 'Input and outputs', content: <InputAndOutputs run={snapshot} /> },
              ]}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function InputAndOutputs({ run }: { run: RunSnapshot }) {
  return (
    <>
      {run.input && (
        <Card title="Input">
          <Json value={run.input} label="input" />
        </Card>
      )}
      {run.error && <Failure error={new Error(run.error.message)} />}
      <Card title="Outputs">
        {ENDED.has(run.status) ? (
          <Json value={run.outputs} label="outputs" />
        ) : (
          <p className="text-soft">The run has not ended yet.</p>
        )}
      </Card>
    </>
  );
}

function StartAgain({ run }: { run: RunSnapshot }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button needs="models.use" onClick={() => setAsking(true)}>
        Start again
      </Button>
      {isAsking && <StartRun again={run} onClose={() => setAsking(false)} />}
    </>
  );
}

function Graph({ run }: { run: RunSnapshot }) {
  return (
    <Suspense fallback={<Loading lines={6} />}>
      <RunGraph run={run} />
    </Suspense>
  );
}

function Summary({ run }: { run: RunSnapshot }) {
  const { total_usd_cents: cents } = run.cost_summary;
  const took = run.ended_at === undefined ? '–' : formatDuration(Date.parse(run.ended_at) - Date.parse(run.created_at));
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        label="State"
        value={<Status value={run.status} />}
        note={run.customer_id ? <CustomerLink id={run.customer_id} /> : 'paid by the account'}
      />
      <Stat label="Took" value={took} />
      <Stat label="Cost" value={formatCents(cents)} />
      <Stat
        label="Nodes"
        value={run.nodes.length}
        note={`${run.nodes.filter(({ status }) => ENDED.has(status)).length} ended`}
      />
    </div>
  );
}

function CancelRun({ path, queryKey }: { path: string; queryKey: readonly string[] }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useAction({
    act: () => call('POST', `${path}/cancel`, { body: {} }),
    changes: [queryKey, ['runs']],
    done: 'Run canceled',
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button look="danger" needs="models.use" onClick={() => setAsking(true)}>
        Cancel the run
      </Button>
      {isAsking && (
        <Confirm
          title="Cancel the run"
          action="Cancel the run"
          isBusy={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        >
          Steps that have been served are charged. The run cannot be continued.
        </Confirm>
      )}
    </>
  );
}
