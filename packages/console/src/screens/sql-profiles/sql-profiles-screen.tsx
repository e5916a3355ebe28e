import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { SqlProfile } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
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

export function SqlProfilesScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const query = useQuery({
    queryKey: ['sql-profiles', projectId, offset],
    queryFn: ({ signal }) =>
      get<{ profiles: SqlProfile[]; next_cursor?: string }>(
        `/projects/${projectId}/sql-profiles`,
        { limit: LIMIT, offset },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const create = (
    <Permitted needs="resources.manage">
      <Link
        to="/p/$projectId/sql-profiles/$profileId"
        params={{ projectId, profileId: 'new' }}
        className={buttonClasses('primary')}
      >
        New SQL profile
      </Link>
    </Permitted>
  );
  return (
    <Page
      title="SQL profiles"
      hint="Which statements that a model has written may run on a database of yours."
      actions={create}
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ profiles, next_cursor: next }) =>
            profiles.length === 0 && offset === 0 ? (
              <Empty title="No SQL profiles yet" hint="Make one here, or with a request:" curl={toCurl(projectId)} />
            ) : (
              <>
                <DataTable label="SQL profiles" rows={profiles} columns={COLUMNS} getKey={({ id }) => id} />
                <Pager offset={offset} count={profiles.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const COLUMNS: readonly Column<SqlProfile>[] = [
  { header: 'Profile', cell: (profile) => <ProfileLink profile={profile} /> },
  { header: 'Dialect', cell: ({ policy }) => policy.dialect },
  {
    header: 'Allows',
    cell: ({ policy }) => (
      <Badge tone={policy.read_only ? 'good' : 'warn'}>{policy.read_only ? 'reading' : 'changes'}</Badge>
    ),
  },
  {
    header: 'Tables',
    isSecondary: true,
    cell: ({ policy }) => policy.tables?.allowlist?.join(', ') ?? 'all',
  },
  { header: 'Changed', cell: ({ updated_at: at }) => <When at={at} />, isSecondary: true },
];

function ProfileLink({ profile: { id, name } }: { profile: SqlProfile }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/sql-profiles/$profileId"
      params={{ projectId, profileId: id }}
      className="font-medium break-words hover:underline"
    >
      {name}
    </Link>
  );
}

function toCurl(projectId: string): string {
  return [
    `curl ${location.origin}/api/v1/projects/${projectId}/sql-profiles \\`,
    "  -H 'Authorization: Bearer YOUR_ACCESS_TOKEN' -H 'Content-Type: application/json' \\",
    '  -d \'{"name":"reports","policy":{"dialect":"postgres","read_only":true}}\'',
  ].join('\n');
}
