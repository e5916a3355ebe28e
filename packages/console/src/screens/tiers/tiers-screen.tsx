import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tiersQuery } from '../../api/queries.js';
import type { Tier } from '../../api/types.js';
import { formatCount } from '../../format/numbers.js';
import { Badge } from '../../parts/badge.js';
import { buttonClasses } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { Permitted } from '../../shell/role.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { describeLimit, describePrice, describeUnsold } from './describe-tier.js';
import { Subscribers } from './subscribers.js';

export function TiersScreen() {
  const projectId = useProjectId();
  const query = useQuery(tiersQuery(projectId));
  const create = (
    <Permitted needs="tiers.manage">
      <Link to="/p/$projectId/tiers/$tierId" params={{ projectId, tierId: 'new' }} className={buttonClasses('primary')}>
        New tier
      </Link>
    </Permitted>
  );
  return (
    <Page title="Tiers" hint="What customers can buy: models with prices, and a limit or a wallet." actions={create}>
      <Card isFlush>
        <Loaded query={query}>
          {({ tiers }) =>
            tiers.length === 0 ? (
              <Empty
                title="No tiers yet"
                hint="A customer needs a tier before a token can be minted. Make one here, or with a request:"
                curl={curl(projectId)}
              />
            ) : (
              <DataTable label="Tiers" rows={tiers} columns={COLUMNS} getKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const COLUMNS: readonly Column<Tier>[] = [
  { header: 'Tier', cell: (tier) => <TierLink tier={tier} /> },
  { header: 'Price', cell: (tier) => <TierPrice tier={tier} /> },
  { header: 'Spend', cell: describeLimit, isSecondary: true },
  { header: 'Models', cell: ({ models }) => models.length, isFigure: true, isSecondary: true },
  { header: 'Subscribers', cell: ({ tier_code: code }) => <Subscribers tierCode={code} />, isFigure: true },
  {
    header: 'Rate limit',
    cell: ({ rate_limit_per_minute: limit }) => (limit === undefined ? 'none' : `${formatCount(limit)} a minute`),
    isFigure: true,
    isSecondary: true,
  },
];

function TierPrice({ tier }: { tier: Tier }) {
  const unsold = describeUnsold(tier);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {describePrice(tier)}
      {unsold && <Badge tone={unsold.isFailed ? 'bad' : 'warn'}>{unsold.status}</Badge>}
    </span>
  );
}

function curl(projectId: string): string {
  return [
    `curl ${location.origin}/api/v1/projects/${projectId}/tiers \\`,
    "  -H 'Authorization: Bearer YOUR_ACCESS_TOKEN' -H 'Content-Type: application/json' \\",
    '  -d \'{"tier_code":"free","display_name":"Free","spend_limit_cents":500,"models":[{"model_id":"sandbox/echo-1","is_default":true}]}\'',
  ].join('\n');
}

function TierLink({ tier: { id, display_name, tier_code, is_default } }: { tier: Tier }) {
  const projectId = useProjectId();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Link to="/p/$projectId/tiers/$tierId" params={{ projectId, tierId: id }} className="font-medium hover:underline">
        {display_name}
      </Link>
      <code className="font-mono text-xs text-soft">{tier_code}</code>
      {is_default && <Badge tone="accent">default</Badge>}
    </span>
  );
}
