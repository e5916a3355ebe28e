import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextArea } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';

/** Starts a run of a workflow as the account, and shows it. */
export function StartRun({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [text, setText] = useState(() => JSON.stringify(SAMPLE_WORKFLOW, null, 2));
  const headers = useIdempotencyKey(text);
  const start = useAction({
    act: async () =>
      call<{ run_id: string }>('POST', `/projects/${projectId}/runs`, { headers, body: { spec: readSpec(text) } }),
    changes: [['runs']],
    onDone: ({ run_id: runId }) => navigate({ to: '/p/$projectId/runs/$runId', params: { projectId, runId } }),
  });
  return (
    <FormDialog
      title="Start a run"
      action="Start"
      isWide
      isBusy={start.isPending}
      error={start.error}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="Workflow"
        rows={18}
        required
        spellCheck={false}
        className="font-mono text-xs"
        hint="The model calls are real and are charged to the account."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}

function readSpec(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The workflow is not valid JSON: ${(error as Error).message}`);
  }
}
