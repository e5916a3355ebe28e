import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { Message } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Id, Json } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';
import { Address } from './messages-screen.js';
import { SendMessage } from './send-message.js';

const THREAD_MAX = 100;

export function MessageScreen() {
  const projectId = useProjectId();
  const messageId = useParams({ strict: false }).messageId as string;
  const query = useQuery({
    queryKey: ['messages', projectId, 'one', messageId],
    queryFn: ({ signal }) => get<Message>(`/projects/${projectId}/messages/${messageId}`, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/messages" params={{ projectId }} className="hover:underline">
      Messages
    </Link>
  );
  const message = query.data;
  return (
    <Page
      title={message?.subject ?? 'Message'}
      trail={trail}
      actions={message && <MessageActions message={message} key={message.id} />}
    >
      <Loaded query={query}>{(each) => <MessageBody message={each} />}</Loaded>
    </Page>
  );
}

function MessageBody({ message }: { message: Message }) {
  const { id, from, to, customer_id: customerId, read_at: readAt, created_at: at, body, thread_id } = message;
  return (
    <>
      <Card>
        <Facts
          rows={[
            ['Id', <Id key="id" value={id} />],
            ['From', <Id key="from" value={from} />],
            ['To', <Id key="to" value={to} />],
            ['Customer', <CustomerLink key="customer" id={customerId} />],
            ['Sent', <When key="at" at={at} />],
            ['Read', readAt === undefined ? <Badge tone="accent">unread</Badge> : <When key="read" at={readAt} />],
          ]}
        />
      </Card>
      <Card title="Body">
        <Json value={body} label="body" />
      </Card>
      <Thread threadId={thread_id} current={id} />
    </>
  );
}

/** The other messages of the thread, in the order of their arrival. */
function Thread({ threadId, current }: { threadId: string; current: string }) {
  const projectId = useProjectId();
  const query = useQuery({
    queryKey: ['messages', projectId, 'thread', threadId],
    queryFn: ({ signal }) =>
      get<{ messages: Message[]; next_cursor?: string }>(
        `/projects/${projectId}/messages`,
        { thread_id: threadId, unread: false, limit: THREAD_MAX },
        signal,
      ),
  });
  return (
    <Card title="Thread">
      <Loaded query={query}>
        {({ messages, next_cursor: next }) => (
          <>
            <ol className="flex flex-col gap-2">
              {messages.map((message) => (
                <ThreadLine key={message.id} message={message} isCurrent={message.id === current} />
              ))}
            </ol>
            {next !== undefined && (
              <p className="mt-3 text-soft">The first {THREAD_MAX} messages of the thread are shown.</p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function ThreadLine({
  message: { id, from, subject, created_at },
  isCurrent,
}: {
  message: Message;
  isCurrent: boolean;
}) {
  const projectId = useProjectId();
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <span className="text-soft">
        <Address value={from} />
      </span>
      {isCurrent ? (
        <span className="min-w-0 font-medium break-words" aria-current="true">
          {subject}
        </span>
      ) : (
        <Link
          to="/p/$projectId/messages/$messageId"
          params={{ projectId, messageId: id }}
          className="min-w-0 break-words text-accent hover:underline"
        >
          {subject}
        </Link>
      )}
      <span className="text-soft">
        <When at={created_at} />
      </span>
    </li>
  );
}

function MessageActions({ message }: { message: Message }) {
  const projectId = useProjectId();
  const [isReplying, setReplying] = useState(false);
  const mark = useAction({
    act: () => call('POST', `/projects/${projectId}/messages/${message.id}/read`),
    changes: [['messages', projectId]],
    done: 'Marked as read',
  });
  return (
    <>
      {!message.read && (
        <Button needs="resources.manage" isBusy={mark.isPending} onClick={() => mark.mutate()}>
          Mark as read
        </Button>
      )}
      <Button look="primary" needs="resources.manage" onClick={() => setReplying(true)}>
        Reply
      </Button>
      {isReplying && <SendMessage answered={message} onClose={() => setReplying(false)} />}
    </>
  );
}
