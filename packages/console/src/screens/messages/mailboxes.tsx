import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { Mailbox } from '../../api/types.js';
import { formatCount } from '../../format/numbers.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { describeAddress } from './address.js';

const LIMIT = 50;
const UNREAD_MAX = 1_000;

/** The agents and runs that received messages. */
export function Mailboxes() {
  const projectId = useProjectId();
  const [{ cursor }] = useTexts();
  const query = useQuery({
    queryKey: ['messages', projectId, 'mailboxes', cursor],
    queryFn: ({ signal }) =>
      get<{ mailboxes: Mailbox[]; next_cursor?: string }>(
        `/projects/${projectId}/mailboxes`,
        { limit: LIMIT, cursor },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Card isFlush>
      <Loaded query={query}>
        {({ mailboxes, next_cursor: next }) =>
          mailboxes.length === 0 && cursor === undefined ? (
            <Empty
              title="No mailboxes yet"
              hint="A mailbox appears here with the first message to an agent or a run."
            />
          ) : (
            <>
              <DataTable label="Mailboxes" rows={mailboxes} columns={COLUMNS} getKey={({ address }) => address} />
              <CursorPager next={next} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

const COLUMNS: readonly Column<Mailbox>[] = [
  { header: 'Mailbox', cell: ({ address }) => <MailboxLink address={address} /> },
  {
    header: 'Last message',
    cell: ({ last_subject: subject }) => <span className="line-clamp-1 break-all">{subject}</span>,
    isSecondary: true,
  },
  { header: 'Received', cell: ({ last_message_at: at }) => <When at={at} />, isSecondary: true },
  {
    header: 'Unread',
    cell: ({ unread_count: count }) =>
      count === 0 ? '–' : <Badge tone="accent">{count < UNREAD_MAX ? formatCount(count) : '1,000+'}</Badge>,
    isFigure: true,
  },
];

function MailboxLink({ address }: { address: string }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/messages"
      params={{ projectId }}
      search={{ mailbox: address }}
      title={address}
      className="font-medium break-all hover:underline"
    >
      {describeAddress(address)}
    </Link>
  );
}
