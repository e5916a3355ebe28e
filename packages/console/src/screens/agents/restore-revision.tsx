import { call } from '../../api/client.js';
import type { Agent, AgentVersion } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { toRestoreBody } from './agent-draft.js';

interface RestoreRevisionProps {
  path: string;
  version: AgentVersion;
  current: number;
  onClose: () => void;
}

/** Makes an earlier configuration current again. */
export function RestoreRevision({ path, version, current, onClose }: RestoreRevisionProps) {
  const restore = useAction({
    act: () => call<{ agent: Agent }>('PATCH', path, { body: toRestoreBody(version, current) }),
    changes: [['agent'], ['agents']],
    done: ({ agent: { agent } }) =>
      `Revision ${version.revision} is current again, as revision ${agent.current_revision}`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Restore revision ${version.revision}`}
      action="Restore"
      isBusy={restore.isPending}
      error={restore.error}
      onSubmit={() => restore.mutate()}
      onClose={onClose}
    >
      <p>
        A new revision gets the configuration of revision {version.revision}. Calls that name no revision use it from
        now on. Runs that have started keep revision {current}.
      </p>
    </FormDialog>
  );
}
