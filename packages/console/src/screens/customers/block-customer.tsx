import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Confirm } from '../../parts/confirm.js';
import type { CustomerDialogProps } from './customer-dialog.js';

/** Refuses the customer's requests, or accepts them again. */
export function BlockCustomer({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId, external_id: name } = customer;
  const isBlocked = customer.blocked_at !== undefined;
  const change = useAction({
    act: () => call('POST', `/projects/${projectId}/customers/${id}/${isBlocked ? 'unblock' : 'block'}`),
    changes: [
      ['customer', projectId, id],
      ['customers', projectId],
    ],
    done: isBlocked ? 'Customer unblocked' : 'Customer blocked',
    onDone: onClose,
  });
  return (
    <Confirm
      title={isBlocked ? 'Unblock the customer' : 'Block the customer'}
      action={isBlocked ? 'Unblock' : 'Block'}
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      {isBlocked
        ? `Requests of ${name} are accepted again.`
        : `Requests of ${name} are refused within seconds. The wallet and a running subscription are kept, so its payments continue.`}
    </Confirm>
  );
}
