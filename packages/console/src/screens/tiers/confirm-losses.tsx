import { formatCents } from '../../format/money.js';
import { Confirm } from '../../parts/confirm.js';
import type { Loss } from './find-losses.js';
import { Subscribers } from './subscribers.js';

const SHOWN_MAX = 5;

interface ConfirmLossesProps {
  losses: readonly Loss[];
  /** Of a tier that exists. */
  tierCode: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before prices are saved that are below what the vendor charges. */
export function ConfirmLosses({ losses, tierCode, onConfirm, onClose }: ConfirmLossesProps) {
  const more = losses.length - SHOWN_MAX;
  return (
    <Confirm
      title="Sell below cost?"
      action="Save these prices"
      isBusy={false}
      error={undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {losses.slice(0, SHOWN_MAX).map(({ modelId, unit, price, cost }) => (
        <span key={`${modelId} ${unit}`} className="block">
          {modelId}, {unit}: {formatCents(price)} at a cost of {formatCents(cost)}.
        </span>
      ))}
      {more > 0 && <span className="block">And {more} more.</span>}
      {tierCode !== undefined && (
        <span className="mt-2 block">
          <Subscribers tierCode={tierCode} isLong />: these prices apply to them at once, and you pay the difference.
        </span>
      )}
    </Confirm>
  );
}
