import { useState } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { buttonClasses } from '../../parts/button.js';
import { CodeBlock } from '../../parts/copy.js';
import { Dialog, FormDialog } from '../../parts/dialog.js';
import type { CustomerDialogProps } from './customer-dialog.js';

/** Makes a link to the portal as the customer sees it. */
export function OpenPortal({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const [url, setUrl] = useState<string>();
  const create = useAction({
    act: () => call<{ url: string }>('POST', `/projects/${projectId}/customers/${id}/portal-session`, { body: {} }),
    changes: [],
    onDone: (link) => setUrl(link.url),
  });
  if (url !== undefined) return <Link url={url} onClose={onClose} />;
  return (
    <FormDialog
      title="Open the portal"
      action="Create a link"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <p>
        The link shows {customer.external_id}'s balance, plan, usage, payments and devices. The person who opens it acts
        as this customer for an hour.
      </p>
    </FormDialog>
  );
}

function Link({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <Dialog title="Link to the portal" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-soft">It works once, within five minutes.</p>
        <CodeBlock text={url} label="link" />
        <footer className="flex justify-end">
          <a href={url} target="_blank" rel="noopener" className={buttonClasses('primary')} onClick={onClose}>
            Open portal
          </a>
        </footer>
      </div>
    </Dialog>
  );
}
