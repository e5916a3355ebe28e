import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.js';
import { modelsQuery, projectsQuery } from '../../api/queries.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Tier } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { useUnsavedInput } from '../../shell/use-unsaved-input.js';
import { ConfirmLosses } from './confirm-losses.js';
import { findLosses, type Loss } from './find-losses.js';
import { ModelPicker } from './model-picker.js';
import { OfferFields } from './offer-fields.js';
import { Subscribers } from './subscribers.js';
import { type TierDraft, toTierBody, toTierUpdate } from './tier-draft.js';
import { TierFields } from './tier-fields.js';

/** Edits a tier, or a new one without an id. */
export function TierEditor({ tierId, first }: { tierId: string | undefined; first: TierDraft }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(first);
  const markSaved = useUnsavedInput(draft);
  const markup = useMarkup();
  const path = `/projects/${projectId}/tiers`;
  const headers = useIdempotencyKey(JSON.stringify(draft));
  const [isAsking, setAsking] = useState(false);
  const losses = useLosses(draft.models, markup);
  const save = useAction({
    act: () =>
      tierId === undefined
        ? call<{ tier: Tier }>('POST', path, { body: toTierBody(draft), headers })
        : call<{ tier: Tier }>('PUT', `${path}/${tierId}`, { body: toTierUpdate(draft) }),
    changes: [['tiers', projectId]],
    done: 'Tier saved',
    onDone: ({ tier }) => {
      markSaved();
      void navigate({ to: '/p/$projectId/tiers/$tierId', params: { projectId, tierId: tier.id }, replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (losses.length > 0) setAsking(true);
    else save.mutate();
  };
  const change = (changes: Partial<TierDraft>) => setDraft((before) => ({ ...before, ...changes }));
  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <Card title="Plan">
          <TierFields
            draft={draft}
            isNew={tierId === undefined}
            faults={readFieldFaults(save.error)}
            onChange={change}
          />
        </Card>
        <Card title="How customers see it">
          <OfferFields draft={draft} faults={readFieldFaults(save.error)} onChange={change} />
        </Card>
        <Card title="Models and prices" isFlush>
          <ModelPicker models={draft.models} markup={markup} onChange={(models) => change({ models })} />
        </Card>
        {save.error && <Failure error={save.error} />}
        <footer className="flex items-center justify-end gap-4">
          {tierId !== undefined && (
            <p className="text-soft">
              <Subscribers tierCode={draft.code} isLong />: changed prices of models apply to them at once.
            </p>
          )}
          <Button type="submit" look="primary" needs="tiers.manage" isBusy={save.isPending}>
            {tierId === undefined ? 'Create the tier' : 'Save'}
          </Button>
        </footer>
      </form>
      {isAsking && (
        <ConfirmLosses
          losses={losses}
          tierCode={tierId === undefined ? undefined : draft.code}
          onConfirm={() => {
            setAsking(false);
            save.mutate();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function useLosses(models: TierDraft['models'], markup: number): Loss[] {
  const { data } = useQuery(modelsQuery);
  return findLosses(models, data?.models ?? [], markup);
}

/** Percent that the project adds to prices of the catalog. */
function useMarkup(): number {
  const projectId = useProjectId();
  const { data } = useQuery(projectsQuery);
  return data?.projects.find(({ id }) => id === projectId)?.markup_percentage ?? 0;
}
