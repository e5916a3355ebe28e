import type { ReactNode } from 'react';
import { FormDialog } from './dialog.js';

export interface ConfirmProps {
  title: string;
  action: string;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  /** The consequence. */
  children: ReactNode;
}

/** Asks before something that cannot be undone. */
export function Confirm({ onConfirm, children, ...dialog }: ConfirmProps) {
  return (
    <FormDialog {...dialog} isDanger onSubmit={onConfirm}>
      <p>{children}</p>
    </FormDialog>
  );
}
