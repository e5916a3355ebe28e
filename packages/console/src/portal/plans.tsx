import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tier } from '../api/types.js';
import { Badge } from '../parts/badge.js';
import { Button } from '../parts/button.js';
import { Empty, Loaded } from '../parts/states.js';
import { describeLimit, describePrice } from '../screens/tiers/describe-tier.js';
import type { Me } from './account.js';
import { ChangePlan } from './change-plan.js';
import { tiersQuery } from './queries.js';

const MODELS_SHOWN = 4;

/** The plans of the project. Pay-as-you-go plans cannot be chosen here: the project assigns them. */
export function Plans({ me }: { me: Me }) {
  const query = useQuery(tiersQuery);
  const [chosen, setChosen] = useState<Tier>();
  const current = me.subscription?.tier_id;
  return (
    <Loaded query={query}>
      {({ tiers }) =>
        tiers.length === 0 ? (
          <Empty title="No plans" hint="This project has no plans to choose from." />
        ) : (
          <>
            <ul className="grid gap-3 sm:grid-cols-2">
              {tiers.map((tier) => (
                <Plan key={tier.id} tier={tier} isCurrent={tier.id === current} onChoose={() => setChosen(tier)} />
              ))}
            </ul>
            {chosen && <ChangePlan tier={chosen} me={me} onClose={() => setChosen(undefined)} />}
          </>
        )
      }
    </Loaded>
  );
}

function Plan({ tier, isCurrent, onChoose }: { tier: Tier; isCurrent: boolean; onChoose: () => void }) {
  const names = tier.models.map((model) => model.model_display_name);
  const more = names.length - MODELS_SHOWN;
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 font-semibold break-words">{tier.display_name}</h2>
        {isCurrent && <Badge tone="accent">Your plan</Badge>}
      </div>
      <div>
        <div className="text-lg font-semibold">{describePrice(tier)}</div>
        <div className="text-soft">Usage {describeLimit(tier)}</div>
      </div>
      <p className="flex-1 text-soft">
        {names.slice(0, MODELS_SHOWN).join(', ')}
        {more > 0 && ` and ${more} more`}
      </p>
      {!isCurrent && tier.billing_mode !== 'paygo' && (
        <Button onClick={onChoose} aria-label={`Choose ${tier.display_name}`}>
          Choose
        </Button>
      )}
    </li>
  );
}
