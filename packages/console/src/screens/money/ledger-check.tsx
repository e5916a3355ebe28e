import type { ledgerVerifySchema } from '@tollgate/api/identity';
import type { z } from 'zod';
import { get } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { formatMoney } from '../../format/money.js';
import { formatAmount } from '../../format/numbers.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { Json } from '../../parts/copy.js';
import { Failure } from '../../parts/states.js';

type Report = z.output<typeof ledgerVerifySchema>;

/** Recomputes every balance from the journal. */
export function LedgerCheck() {
  const check = useAction({ act: () => get<Report>('/account/ledger/verify'), changes: [] });
  const button = (
    <Button isBusy={check.isPending} onClick={() => check.mutate()}>
      Verify
    </Button>
  );
  return (
    <Card title="Ledger" aside={button}>
      {check.error && <Failure error={check.error} />}
      {check.data ? (
        <Outcome report={check.data} />
      ) : (
        <p className="text-soft">Recompute every balance of the account from the journal of its transfers.</p>
      )}
    </Card>
  );
}

function Outcome({ report }: { report: Report }) {
  const { differences, open_holds: holds, overrun_microcents: overrun, unreconciled_microcents: unreconciled } = report;
  return (
    <div className="flex flex-col gap-2">
      <p className={differences.length === 0 ? 'font-medium text-good' : 'font-medium text-bad'}>
        {differences.length === 0
          ? 'Every balance equals its journal.'
          : formatAmount(differences.length, 'difference')}
      </p>
      <p className="text-soft">
        {formatAmount(holds, 'open hold')} · overrun {formatMoney(overrun)} · unreconciled at most{' '}
        {formatMoney(unreconciled)}
      </p>
      {differences.length > 0 && <Json value={differences} label="differences" />}
    </div>
  );
}
