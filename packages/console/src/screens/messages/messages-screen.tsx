import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Message } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { Tabs } from '../../parts/tabs.js';
import { When } from '../../parts/when.js';
import { useProjectId, useTab, useTexts } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';
import { describeAddress, toAddress } from './address.js';
import { Mailboxes } from './mailboxes.js';
import { MessageFilters } from './message-filters.js';
import { SendMessage } from './send-message.js';

const LIMIT = 50;

/** What agents, runs and the owner's code send to each other. */
export function MessagesScreen() {
  const [tab, change] = useTab('messages');
  const [isSending, setSending] = useState(false);
  const send = (
    <Button look="primary" needs="resources.manage" onClick={() => setSending(true)}>
      Send a message
    </Button>
  );
  return (
    <Page title="Messages" hint="What agents, runs and your code send to each other." actions={send}>
      <Tabs
        value={tab}
        onChange={change}
        tabs={[
          { id: 'messages', label: 'Messages', content: <MessageList /> },
          { id: 'mailboxes', label: 'Mailboxes', content: <Mailboxes /> },
        ]}
      />
      {isSending && <SendMessage onClose={() => setSending(false)} />}
    </Page>
  );
}

function MessageList() {
  const projectId = useProjectId();
  const [{ mailbox = '', customer = '', status = '', cursor }] = useTexts();
  const isFiltered = [mailbox, customer, status].some((value) => value !== '');
  const query = useQuery({
    queryKey: ['messages', projectId, mailbox, customer, status, cursor],
    queryFn: ({ signal }) =>
      get<{ messages: Message[]; next_cursor?: string }>(
        `/projects/${projectId}/messages`,
        {
          sort: '-created_at',
          unread: status === 'unread',
          to: toAddress(mailbox, projectId),
          customer_id: customer,
          limit: LIMIT,
          cursor,
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <MessageFilters />
      <Card isFlush>
        <Loaded query={query}>
          {({ messages, next_cursor: next }) =>
            messages.length === 0 && cursor === undefined ? (
              isFiltered ? (
                <Empty title="No message matches" hint="Clear the filters to see all messages of the project." />
              ) : (
                <Empty
                  title="No messages yet"
                  hint="Agents with message tools send some. So does this request:"
                  curl={toCurl(projectId)}
                />
              )
            ) : (
              <>
                <DataTable label="Messages" rows={messages} columns={COLUMNS} getKey={({ id }) => id} />
                <CursorPager next={next} />
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  );
}

const COLUMNS: readonly Column<Message>[] = [
  { header: 'Subject', cell: (message) => <MessageLink message={message} /> },
  { header: 'From', cell: ({ from }) => <Address value={from} />, isSecondary: true },
  { header: 'To', cell: ({ to }) => <Address value={to} /> },
  { header: 'Customer', cell: ({ customer_id: id }) => <CustomerLink id={id} />, isSecondary: true },
  { header: 'Sent', cell: ({ created_at: at }) => <When at={at} />, isSecondary: true },
];

export function Address({ value }: { value: string }) {
  return (
    <span className="break-all" title={value}>
      {describeAddress(value)}
    </span>
  );
}

function MessageLink({ message: { id, subject, read } }: { message: Message }) {
  const projectId = useProjectId();
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-2">
      <Link
        to="/p/$projectId/messages/$messageId"
        params={{ projectId, messageId: id }}
        className="line-clamp-2 font-medium break-words hover:underline"
      >
        {subject}
      </Link>
      {!read && <Badge tone="accent">unread</Badge>}
    </span>
  );
}

function toCurl(projectId: string): string {
  return [
    `curl ${location.origin}/api/v1/messages \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    `  -d '{"to":"agent:helper@${projectId}","subject":"Hello","body":{"text":"Are you there?"}}'`,
  ].join('\n');
}
