import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { Agent, AgentVersion } from '../../api/types.js';
import { formatMoment } from '../../format/times.js';
import { Card, Facts } from '../../parts/card.js';
import { CodeBlock, Id, Json } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { Tabs } from '../../parts/tabs.js';
import { useProjectId, useTab } from '../../shell/use-list-search.js';
import { AgentRevisions } from './agent-revisions.js';
import { TestRun } from './test-run.js';

export function AgentScreen() {
  const projectId = useProjectId();
  const { slug } = useParams({ from: '/p/$projectId/agents/$slug' });
  const [tab, setTab] = useTab('configuration');
  const path = `/projects/${projectId}/agents/${slug}`;
  const query = useQuery({
    queryKey: ['agent', path],
    queryFn: ({ signal }) => get<{ agent: Agent }>(path, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/agents" params={{ projectId }} className="hover:underline">
      Agents
    </Link>
  );
  return (
    <Page title={query.data?.agent.agent.name ?? slug} trail={trail} hint={query.data?.agent.agent.description}>
      <Loaded query={query}>
        {({ agent }) => (
          <Tabs
            value={tab}
            onChange={setTab}
            tabs={[
              { id: 'configuration', label: 'Configuration', content: <Configuration agent={agent} /> },
              { id: 'revisions', label: 'Revisions', content: <AgentRevisions path={path} /> },
              { id: 'test', label: 'Test run', content: <TestRun path={path} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Configuration({ agent: { agent, version } }: { agent: Agent }) {
  return (
    <>
      <Card title="Settings">
        <Facts rows={[['Slug', <Id key="slug" value={agent.slug} />], ...toRows(version)]} />
      </Card>
      {version.system !== undefined && (
        <Card title="Instructions">
          <CodeBlock text={version.system} label="instructions" />
        </Card>
      )}
      {version.tools.length > 0 && (
        <Card title="Tools">
          <Json value={version.tools} label="tools" />
        </Card>
      )}
    </>
  );
}

function toRows(version: AgentVersion) {
  return [
    ['Revision', `${version.revision}, since ${formatMoment(version.created_at)}`],
    ['Model', version.model ?? 'of the tier'],
    ['Bounds', `${version.max_steps} steps, ${version.max_duration_sec} s, ${version.step_timeout_sec} s a step`],
    ['When a tool fails', version.tool_failure_policy],
  ] as const;
}
