import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import type { PriceMigration, Tier } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { formatAmount } from '../../format/numbers.js';
import { Dialog, FormDialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/states.js';
import { describeMigration, describePrice } from './describe-tier.js';

interface MigratePriceProps {
  tier: Tier;
  onClose: () => void;
}

/** Shows what subscribers pay now and after the move to the tier's price, then schedules it for their next renewals. */
export function MigratePrice({ tier, onClose }: MigratePriceProps) {
  const preview = useQuery({
    queryKey: ['price migration', tier.id],
    queryFn: () => call<PriceMigration>('POST', migrationPath(tier), { body: { preview: true } }),
    gcTime: 0,
    staleTime: 0,
  });
  if (preview.data && preview.data.subscriptions > 0)
    return <Confirmation tier={tier} preview={preview.data} onClose={onClose} />;
  return (
    <Dialog title="Move subscribers to the new price" onClose={onClose}>
      <Loaded query={preview}>
        {() => <p>No subscriber pays another price: all of them pay {describePrice(tier)}, or are about to end.</p>}
      </Loaded>
    </Dialog>
  );
}

function Confirmation({ tier, preview, onClose }: MigratePriceProps & { preview: PriceMigration }) {
  const headers = useIdempotencyKey(tier.id);
  const move = useAction({
    act: () => call<PriceMigration>('POST', migrationPath(tier), { body: {}, headers }),
    changes: [['customers', tier.project_id]],
    done: ({ subscriptions: count }) => `${formatAmount(count, 'subscriber')} will pay ${describePrice(tier)}`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Move subscribers to the new price"
      action="Move them"
      isBusy={move.isPending}
      error={move.error}
      onSubmit={() => move.mutate()}
      onClose={onClose}
    >
      {describeMigration(preview, tier).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </FormDialog>
  );
}

function migrationPath({ id, project_id: projectId }: Tier): string {
  return `/projects/${projectId}/tiers/${id}/migrate-price`;
}
