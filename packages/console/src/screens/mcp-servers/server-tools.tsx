import { call } from '../../api/client.js';
import type { McpServerTest } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Empty, Failure } from '../../parts/states.js';

type Tool = McpServerTest['tools'][number];
type RefusedTool = McpServerTest['refused_tools'][number];

const TOOLS: readonly Column<Tool>[] = [
  { header: 'Name for models', cell: ({ name }) => <span className="font-mono break-all">{name}</span> },
  { header: 'Description', cell: ({ description }) => <span className="break-words">{description || '–'}</span> },
];

const REFUSED: readonly Column<RefusedTool>[] = [
  { header: 'Tool that is not offered', cell: ({ tool }) => <span className="font-mono break-all">{tool}</span> },
  { header: 'Reason', cell: ({ reason }) => <span className="break-words">{reason}</span> },
];

/** Lists the tools of a server on request: reading the settings calls no foreign server. */
export function ServerTools({ path }: { path: string }) {
  const refresh = useAction({ act: () => call<McpServerTest>('POST', `${path}/test`, { body: {} }), changes: [] });
  const button = (
    <Button needs="resources.manage" isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
      Refresh the tools
    </Button>
  );
  return (
    <Card title="Tools" aside={button} isFlush>
      {refresh.error && <Failure error={refresh.error} />}
      {refresh.data ? (
        <Listing listing={refresh.data} />
      ) : (
        <Empty title="Not listed" hint="Refresh the tools to list what the server offers now." />
      )}
    </Card>
  );
}

function Listing({ listing: { status, error, tools, refused_tools: refused } }: { listing: McpServerTest }) {
  if (status !== 'success') return <Failure error={new Error(error ?? 'the server could not be used')} />;
  return (
    <>
      {tools.length === 0 ? (
        <Empty title="No tools" hint="The server offers none that models may call." />
      ) : (
        <DataTable label="Tools" rows={tools} columns={TOOLS} getKey={({ name }) => name} />
      )}
      {refused.length > 0 && (
        <DataTable
          label="Refused tools"
          rows={refused}
          columns={REFUSED}
          getKey={({ tool, reason }) => tool + reason}
        />
      )}
    </>
  );
}
