import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { SessionMessage, SessionWithMessages } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/card.js';
import { Id, Json } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

export function SessionScreen() {
  const projectId = useProjectId();
  const sessionId = useParams({ strict: false }).sessionId as string;
  const query = useQuery({
    queryKey: ['sessions', projectId, 'one', sessionId],
    queryFn: ({ signal }) => get<SessionWithMessages>(`/projects/${projectId}/sessions/${sessionId}`, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/sessions" params={{ projectId }} className="hover:underline">
      Sessions
    </Link>
  );
  return (
    <Page title={`Session ${sessionId.slice(0, 8)}`} trail={trail}>
      <Loaded query={query}>{(session) => <SessionBody session={session} />}</Loaded>
    </Page>
  );
}

function SessionBody({ session }: { session: SessionWithMessages }) {
  const { id, customer_id: customerId, metadata, created_at: at, messages } = session;
  return (
    <>
      <Card>
        <Facts
          rows={[
            ['Id', <Id key="id" value={id} />],
            ['Customer', <CustomerLink key="customer" id={customerId} />],
            ['Started', <When key="at" at={at} />],
          ]}
        />
      </Card>
      <Card title="Messages">
        {messages.length === 0 ? (
          <Empty title="No messages" />
        ) : (
          <ol className="flex flex-col gap-4">
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
        )}
      </Card>
      {Object.keys(metadata).length > 0 && (
        <Card title="Metadata">
          <Json value={metadata} label="metadata" />
        </Card>
      )}
    </>
  );
}

function Message({ message: { role, content, run_id: runId, created_at: at } }: { message: SessionMessage }) {
  const projectId = useProjectId();
  return (
    <li className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2 text-soft">
        <Badge tone={role === 'assistant' ? 'accent' : 'neutral'}>{role}</Badge>
        <When at={at} />
        {runId !== undefined && (
          <Link to="/p/$projectId/runs/$runId" params={{ projectId, runId }} className="hover:underline">
            run {runId.slice(0, 8)}
          </Link>
        )}
      </div>
      {typeof content === 'string' ? (
        <p className="break-words whitespace-pre-wrap">{content}</p>
      ) : (
        <Json value={content} label="content" />
      )}
    </li>
  );
}
