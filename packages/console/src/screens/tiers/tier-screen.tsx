import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { tiersQuery } from '../../api/queries.js';
import type { Tier } from '../../api/types.js';
import { Button } from '../../parts/button.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { DeleteTier } from './delete-tier.js';
import { describeUnsold } from './describe-tier.js';
import { MigratePrice } from './migrate-price.js';
import { Subscribers } from './subscribers.js';
import { newTier, toDraft } from './tier-draft.js';
import { TierEditor } from './tier-editor.js';

export function TierScreen() {
  const projectId = useProjectId();
  const { tierId } = useParams({ from: '/p/$projectId/tiers/$tierId' });
  const query = useQuery(tiersQuery(projectId));
  const [asked, ask] = useState<'delete' | 'migrate'>();
  const tier = query.data?.tiers.find(({ id }) => id === tierId);
  const unsold = tier && describeUnsold(tier);
  const isNew = tierId === 'new';
  const trail = (
    <Link to="/p/$projectId/tiers" params={{ projectId }} className="hover:underline">
      Tiers
    </Link>
  );
  const actions = tier && (
    <>
      {canMigrate(tier) && (
        <Button needs="tiers.manage" onClick={() => ask('migrate')}>
          Move subscribers to the new price
        </Button>
      )}
      <Button look="danger" needs="tiers.manage" onClick={() => ask('delete')}>
        Delete
      </Button>
    </>
  );
  return (
    <Page
      title={isNew ? 'New tier' : (tier?.display_name ?? 'Tier')}
      trail={trail}
      hint={tier && <Subscribers tierCode={tier.tier_code} isLong />}
      actions={actions}
    >
      <Loaded query={query}>
        {() =>
          isNew || tier ? (
            <>
              {unsold && <p className="mb-4 rounded-md bg-warn-wash px-3 py-2 text-sm text-warn">{unsold.text}</p>}
              <TierEditor key={tierId} tierId={tier?.id} first={tier ? toDraft(tier) : newTier()} />
            </>
          ) : (
            <Empty title="There is no such tier" hint="It may have been deleted." />
          )
        }
      </Loaded>
      {tier && asked === 'delete' && <DeleteTier tier={tier} onClose={() => ask(undefined)} />}
      {tier && asked === 'migrate' && <MigratePrice tier={tier} onClose={() => ask(undefined)} />}
    </Page>
  );
}

/** The processor charges a price of the tier. */
function canMigrate(tier: Tier): boolean {
  return tier.billing_price_ref !== undefined && tier.price_amount_cents !== undefined && !describeUnsold(tier);
}
