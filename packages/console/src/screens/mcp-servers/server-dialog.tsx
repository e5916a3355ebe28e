import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { McpServer } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { draftServer, ServerFields, toSettings } from './server-fields.js';

interface ServerDialogProps {
  /** The server that is edited; none: a new one. */
  server?: McpServer;
  onClose: () => void;
  onSaved?: (server: McpServer) => void;
}

/** Registers a server or changes its settings. */
export function ServerDialog({ server, onClose, onSaved }: ServerDialogProps) {
  const projectId = useProjectId();
  const [draft, setDraft] = useState(() => draftServer(server));
  const path = `/projects/${projectId}/mcp-servers`;
  const save = useAction({
    act: () =>
      server
        ? call<{ server: McpServer }>('PUT', `${path}/${server.id}`, { body: toSettings(draft) })
        : call<{ server: McpServer }>('POST', path, { body: { ...toSettings(draft), name: draft.name } }),
    changes: [
      ['mcp-servers', projectId],
      ['mcp-server', `${path}/${server?.id}`],
    ],
    done: server ? 'Server changed' : 'Server registered',
    onDone: ({ server: saved }) => {
      onClose();
      onSaved?.(saved);
    },
  });
  return (
    <FormDialog
      title={server ? `Edit ${server.name}` : 'New MCP server'}
      action={server ? 'Save' : 'Create'}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ServerFields
        server={server}
        draft={draft}
        faults={readFieldFaults(save.error)}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
    </FormDialog>
  );
}
