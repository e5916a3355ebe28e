import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tier } from '../api/types.js';
import { Badge } from '../parts/badge.js';
import { Button } from '../parts/button.js';
import { Empty, Loaded } from '../parts/states.js';
import { describeLimit, describePrice } from '../screens/tiers/describe-tier.js';
import type { Me } from './account.js';
import { ChangePlan } from './change-plan.js';
import { canChoose, groupPlans, type Plan } from './group-plans.js';
import { ManagePlan } from './manage-plan.js';
import { tiersQuery } from './queries.js';

const MODELS_SHOWN = 4;

/** The plans that the project offers. Pay-as-you-go plans cannot be chosen here: the project assigns them. */
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
              {groupPlans(tiers, current).map((plan) => (
                <PlanCard key={plan.id} plan={plan} current={current} onChoose={setChosen} />
              ))}
            </ul>
            <ManagePlan me={me} />
            {chosen && <ChangePlan tier={chosen} me={me} onClose={() => setChosen(undefined)} />}
          </>
        )
      }
    </Loaded>
  );
}

interface PlanCardProps {
  plan: Plan;
  current: string | undefined;
  onChoose: (tier: Tier) => void;
}

function PlanCard({ plan, current, onChoose }: PlanCardProps) {
  const shown = plan.tiers.find(({ id }) => id === plan.id) ?? plan.tiers[0];
  if (!shown) return null;
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 font-semibold break-words">{plan.name}</h2>
        {plan.isCurrent && <Badge tone="accent">Your plan</Badge>}
      </div>
      <div>
        {plan.tiers.map((tier) => (
          <div key={tier.id} className="text-lg font-semibold">
            {describePrice(tier)}
          </div>
        ))}
        <div className="text-soft">Usage {describeLimit(shown)}</div>
      </div>
      <Contents tier={shown} />
      <div className="flex flex-wrap gap-2">
        {plan.tiers
          .filter((tier) => canChoose(tier, { tierId: current }))
          .map((tier) => (
            <Button key={tier.id} onClick={() => onChoose(tier)} aria-label={`Choose ${tier.display_name}`}>
              {plan.tiers.length === 1 ? 'Choose' : `Choose ${tier.price_interval === 'year' ? 'yearly' : 'monthly'}`}
            </Button>
          ))}
      </div>
    </li>
  );
}

/** The lines that the project wrote, or else the models. */
function Contents({ tier: { features, models } }: { tier: Tier }) {
  if (features.length > 0)
    return (
      <ul className="flex-1 list-disc pl-5 text-soft">
        {features.map((line) => (
          <li key={line} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    );
  const names = models.map((model) => model.model_display_name);
  const more = names.length - MODELS_SHOWN;
  return (
    <p className="flex-1 text-soft">
      {names.slice(0, MODELS_SHOWN).join(', ')}
      {more > 0 && ` and ${more} more`}
    </p>
  );
}
