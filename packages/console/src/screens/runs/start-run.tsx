import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { RunSnapshot } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { readJson, writeJson } from '../../format/read-json.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextArea } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerPicker } from '../customers/customer-picker.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';

export interface StartRunProps {
  /** A run whose workflow is started once more. */
  again?: RunSnapshot;
  onClose: () => void;
}

/** Starts a run of a workflow, and shows it. */
export function StartRun({ again, onClose }: StartRunProps) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [workflow, setWorkflow] = useState(() => writeJson(SAMPLE_WORKFLOW));
  const [input, setInput] = useState(() => writeJson(again?.input));
  const [customerId, setCustomerId] = useState(again?.customer_id ?? '');
  const [faults, setFaults] = useState<{ workflow?: string | undefined; input?: string | undefined }>({});
  const key = useIdempotencyKey(JSON.stringify([workflow, input, customerId]));
  const start = useAction({
    act: (body: object) =>
      call<{ run_id: string }>('POST', `/projects/${projectId}/runs`, {
        headers: { ...key, ...(customerId !== '' && { 'X-Service-Customer-Id': customerId }) },
        body,
      }),
    changes: [['runs']],
    onDone: ({ run_id: runId }) => {
      onClose();
      void navigate({ to: '/p/$projectId/runs/$runId', params: { projectId, runId } });
    },
  });
  const submit = () => {
    const spec = readJson(workflow);
    const given = readJson(input);
    setFaults({ workflow: spec.fault, input: given.fault });
    if (spec.fault !== undefined || given.fault !== undefined) return;
    const what = again ? { plan_hash: again.plan_hash } : { spec: spec.value };
    start.mutate({ ...what, ...(given.value !== undefined && { input: given.value }) });
  };
  return (
    <FormDialog
      title={again ? `Start ${again.name ?? 'the run'} again` : 'Start a run'}
      action="Start"
      isWide
      isBusy={start.isPending}
      error={start.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {again ? (
        <p>A new run of the same workflow. The run that is shown stays as it is.</p>
      ) : (
        <TextArea
          label="Workflow"
          rows={14}
          required
          spellCheck={false}
          className="font-mono text-xs"
          value={workflow}
          fault={faults.workflow ?? readFieldFaults(start.error).spec}
          onChange={(event) => setWorkflow(event.target.value)}
        />
      )}
      <TextArea
        label="Input"
        rows={3}
        spellCheck={false}
        placeholder="none"
        className="font-mono text-xs"
        hint="A JSON object of the inputs that the workflow declares."
        value={input}
        fault={faults.input ?? readFieldFaults(start.error).input}
        onChange={(event) => setInput(event.target.value)}
      />
      <CustomerPicker
        label="Run as"
        none="The account itself"
        value={customerId}
        hint="The model calls are real, and are charged to the account or the customer."
        onPick={setCustomerId}
      />
    </FormDialog>
  );
}
