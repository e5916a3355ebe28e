import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { readFieldFaults } from '../api/read-field-faults.js';
import { useAction } from '../api/use-action.js';
import { useIdempotencyKey } from '../api/use-idempotency-key.js';
import { describeAmountFault, readCents } from '../format/money.js';
import { FormDialog } from '../parts/dialog.js';
import { TextField } from '../parts/field.js';

export interface AmountDialogProps<Result> {
  title: string;
  action: string;
  /** The amount that is proposed. */
  initial: string;
  hint?: string;
  isDanger?: boolean;
  /** Sends the amount once: the headers name it, however often the button is pressed. */
  send: (cents: number, headers: Record<string, string>) => Promise<Result>;
  /** Says what moving the amount does. */
  toConsequence?: (cents: number) => string;
  /** The other values that are sent. */
  content?: string;
  /** Queries whose data it changes. */
  changes: readonly QueryKey[];
  /** Shown when it has been answered. */
  done?: string | ((result: Result) => string);
  onDone?: (result: Result) => void;
  onClose: () => void;
  /** Other fields. */
  children?: ReactNode;
}

/** Asks for an amount of money and moves it. */
export function AmountDialog<Result>(props: AmountDialogProps<Result>) {
  const { title, action, initial, hint, isDanger = false, send, toConsequence } = props;
  const { content = '', changes, done, onDone, onClose } = props;
  const [amount, setAmount] = useState(initial);
  const cents = readCents(amount);
  const headers = useIdempotencyKey(`${cents} ${content}`);
  const move = useAction({
    act: (amountCents: number) => send(amountCents, headers),
    changes,
    ...(done !== undefined && { done }),
    ...(onDone && { onDone }),
  });
  const faults = readFieldFaults(move.error);
  const fault = faults.amount_cents ?? faults.credit_amount_cents;
  return (
    <FormDialog
      title={title}
      action={action}
      isDanger={isDanger}
      isBusy={move.isPending}
      error={fault === undefined ? move.error : undefined}
      onSubmit={() => cents !== undefined && move.mutate(cents)}
      onClose={onClose}
    >
      <TextField
        label="Amount"
        inputMode="decimal"
        required
        value={amount}
        hint={hint}
        fault={cents === undefined ? `An amount such as ${initial}` : fault && describeAmountFault(fault)}
        onChange={(event) => setAmount(event.target.value)}
      />
      {props.children}
      {toConsequence && cents !== undefined && <p>{toConsequence(cents)}</p>}
    </FormDialog>
  );
}
