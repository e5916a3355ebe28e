// An app of a customer with the hooks. Its backend has the secret key, and serves /token and /portal-link.
import { refreshingToken, Tollgate, TollgateError } from '@tollgate/client';
import {
  TollgateProvider,
  useBalance,
  useCustomer,
  usePortal,
  useRunEvents,
  useTollgate,
  useUsage,
} from '@tollgate/client/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const INPUT = [{ type: 'message' as const, role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];

const askBackend = async (path: string) => (await fetch(path, { method: 'POST' })).json();
const getPortalLink = () => askBackend('/portal-link');

function Usage({ id }: { id: string }) {
  const { data, error, isLoading, refresh } = useUsage();
  const client = useTollgate();
  const ask = async () => {
    await client.createResponse({ input: INPUT });
    await refresh();
  };
  const shown = error instanceof TollgateError ? error.code : `${data?.requests ?? '–'} requests`;
  return (
    <section id={id} aria-busy={isLoading}>
      <p>{shown}</p>
      <button type="button" onClick={ask}>
        Ask
      </button>
    </section>
  );
}

function Account() {
  const balance = useBalance({ refreshMs: 1_000 });
  const customer = useCustomer();
  const portal = usePortal(getPortalLink);
  return (
    <section id="account">
      <p id="customer">{customer.data?.customer.external_id}</p>
      <p id="balance">{balance.data?.balance_microcents}</p>
      <button type="button" onClick={portal.open} disabled={portal.isOpening}>
        Manage
      </button>
      <p id="portal-error">{portal.error === undefined ? '' : String(portal.error)}</p>
    </section>
  );
}

function Run() {
  const client = useTollgate();
  const [runId, setRunId] = useState<string>();
  const { events, status, error } = useRunEvents(runId, { eventsMax: 100 });
  const start = async () => {
    const nodes = [{ id: 'step', type: 'llm.responses' as const, input: { input: INPUT } }];
    const outputs = [{ name: 'answer', from: 'step' }];
    setRunId((await client.createRun({ spec: { kind: 'workflow.v0', name: 'hooks', nodes, outputs } })).run_id);
  };
  return (
    <section id="run">
      <p id="status">{status}</p>
      <p id="events">{events.map(({ seq, type }) => `${seq} ${type}`).join(', ')}</p>
      <p id="run-error">{error instanceof TollgateError ? error.code : ''}</p>
      <button type="button" onClick={start}>
        Start
      </button>
      <button type="button" onClick={() => setRunId('00000000-0000-4000-8000-000000000000')}>
        Unknown
      </button>
    </section>
  );
}

export function showApp(baseUrl: string): void {
  const client = new Tollgate({ baseUrl, credential: refreshingToken(() => askBackend('/token')) });
  const root = document.createElement('div');
  document.body.append(root);
  createRoot(root).render(
    <TollgateProvider client={client}>
      <Usage id="first" />
      <Usage id="second" />
      <Account />
      <Run />
    </TollgateProvider>,
  );
}
