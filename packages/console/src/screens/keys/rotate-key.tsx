import { useState } from 'react';
import { call } from '../../api/client.js';
import type { ApiKey } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

const OVERLAPS = [
  ['0', 'Reject it at once'],
  ['3600', 'Accept it for another hour'],
  ['86400', 'Accept it for another day'],
  ['604800', 'Accept it for another week'],
] as const;

export interface RotateKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
  onIssued: (key: ApiKey) => void;
}

/** Issues a successor; both keys work for a while, so that servers can change without an interruption. */
export function RotateKey({ apiKey, onClose, onIssued }: RotateKeyProps) {
  const projectId = useProjectId();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useAction({
    act: () =>
      call<{ api_key: ApiKey }>('POST', `/projects/${projectId}/api-keys/${apiKey.id}/rotate`, {
        body: { overlap_seconds: Number(overlap) },
      }),
    changes: [['keys', projectId]],
    onDone: ({ api_key }) => {
      onClose();
      onIssued(api_key);
    },
  });
  return (
    <FormDialog
      title="Rotate the key"
      action="Issue a new key"
      isBusy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p className="text-soft">
        A new key with the label {apiKey.label} replaces {apiKey.redacted_key}.
      </p>
      <SelectField label="The old key" value={overlap} options={OVERLAPS} onPick={setOverlap} />
    </FormDialog>
  );
}
