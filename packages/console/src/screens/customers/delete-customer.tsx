import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Confirm } from '../../parts/confirm.js';
import type { CustomerDialogProps } from './customer-dialog.js';

export function DeleteCustomer({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const navigate = useNavigate();
  const remove = useAction({
    act: () => call('DELETE', `/projects/${projectId}/customers/${id}`, { query: { cancel_subscription: true } }),
    changes: [['customers', projectId]],
    done: 'Customer deleted',
    onDone: () => void navigate({ to: '/p/$projectId/customers', params: { projectId } }),
  });
  return (
    <Confirm
      title="Delete the customer"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {customer.external_id} loses access at once, a running subscription is canceled, and what is left in the wallet is
      forfeited. This cannot be undone.
    </Confirm>
  );
}
