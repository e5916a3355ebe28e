import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { Agent } from '../../api/types.js';
import { buttonClasses } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { Permitted } from '../../shell/role.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';

const LIMIT = 50;

export function AgentsScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const query = useQuery({
    queryKey: ['agents', projectId, offset],
    queryFn: ({ signal }) =>
      get<{ agents: Agent[]; next_cursor?: string }>(`/projects/${projectId}/agents`, { limit: LIMIT, offset }, signal),
    placeholderData: keepPreviousData,
  });
  const create = (
    <Permitted needs="resources.manage">
      <Link to="/p/$projectId/new-agent" params={{ projectId }} className={buttonClasses('primary')}>
        New agent
      </Link>
    </Permitted>
  );
  return (
    <Page
      title="Agents"
      hint="Instructions, a model and tools under a name, in revisions that never change."
      actions={create}
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ agents, next_cursor: next }) =>
            agents.length === 0 && offset === 0 ? (
              <Empty title="No agents yet" hint="Create one here, or with a request:" curl={curl(projectId)} />
            ) : (
              <>
                <DataTable label="Agents" rows={agents} columns={COLUMNS} getKey={({ agent }) => agent.id} />
                <Pager offset={offset} count={agents.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const COLUMNS: readonly Column<Agent>[] = [
  { header: 'Agent', cell: (agent) => <AgentLink agent={agent} /> },
  { header: 'Model', cell: ({ version }) => version.model ?? '–', isSecondary: true },
  { header: 'Tools', cell: ({ version }) => version.tools.length, isFigure: true, isSecondary: true },
  { header: 'Revision', cell: ({ agent }) => agent.current_revision, isFigure: true },
  { header: 'Changed', cell: ({ agent }) => <When at={agent.updated_at} /> },
];

function AgentLink({ agent: { agent } }: { agent: Agent }) {
  const projectId = useProjectId();
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <Link
        to="/p/$projectId/agents/$slug"
        params={{ projectId, slug: agent.slug }}
        className="font-medium hover:underline"
      >
        {agent.name}
      </Link>
      <code className="font-mono text-xs text-soft">{agent.slug}</code>
    </span>
  );
}

function curl(projectId: string): string {
  return [
    `curl ${location.origin}/api/v1/projects/${projectId}/agents \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    '  -d \'{"name":"Helper","slug":"helper","system":"Answer briefly.","model":"sandbox/echo-1"}\'',
  ].join('\n');
}
