import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Agent, AgentVersion } from '../../api/types.js';
import { formatMoment } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { CodeBlock, Id, Json } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { Tabs } from '../../parts/tabs.js';
import { useProjectId, useTab } from '../../shell/use-list-search.js';
import { AgentEditor } from './agent-editor.js';
import { AgentMemory } from './agent-memory.js';
import { AgentRevisions } from './agent-revisions.js';
import { DeleteAgent } from './delete-agent.js';
import { TestRun } from './test-run.js';

export function AgentScreen() {
  const projectId = useProjectId();
  const { slug } = useParams({ from: '/p/$projectId/agents/$slug' });
  const [tab, setTab] = useTab('configuration');
  const [isDeleting, setDeleting] = useState(false);
  const path = `/projects/${projectId}/agents/${slug}`;
  const query = useQuery({
    queryKey: ['agent', path],
    queryFn: ({ signal }) => get<{ agent: Agent }>(path, {}, signal),
  });
  const remove = query.data && (
    <Button look="danger" needs="resources.manage" onClick={() => setDeleting(true)}>
      Delete
    </Button>
  );
  const trail = (
    <Link to="/p/$projectId/agents" params={{ projectId }} className="hover:underline">
      Agents
    </Link>
  );
  return (
    <Page
      title={query.data?.agent.agent.name ?? slug}
      trail={trail}
      hint={query.data?.agent.agent.description}
      actions={remove}
    >
      <Loaded query={query}>
        {({ agent }) => (
          <>
            <Tabs
              value={tab}
              onChange={setTab}
              tabs={[
                { id: 'configuration', label: 'Configuration', content: <Configuration agent={agent} /> },
                {
                  id: 'edit',
                  label: 'Edit',
                  content: <AgentEditor key={agent.agent.current_revision} agent={agent} />,
                },
                {
                  id: 'revisions',
                  label: 'Revisions',
                  content: <AgentRevisions key={agent.agent.current_revision} path={path} agent={agent.agent} />,
                },
                { id: 'test', label: 'Test run', content: <TestRun path={path} /> },
                { id: 'memory', label: 'Memory', content: <AgentMemory path={path} /> },
              ]}
            />
            {isDeleting && <DeleteAgent agent={agent} onClose={() => setDeleting(false)} />}
          </>
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
