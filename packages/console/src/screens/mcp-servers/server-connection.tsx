import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.js';
import type { McpServer } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { Failure } from '../../parts/states.js';
import { ConnectDialog } from './connect-dialog.js';

const STATES: Readonly<Record<McpServer['authorization_status'], string>> = {
  none: 'Not connected to an account. Connect the server if it asks for a sign-in or client credentials (OAuth); otherwise its headers are enough.',
  authorized: 'Connected. Tools are called with the access of the account or client that was connected.',
  authorization_required:
    'Authorization lost. Connect the server again: its access was revoked, has expired, or belongs to another address.',
};

/** The account that a server is connected to. Completes a connection when the authorization server has led back here. */
export function ServerConnection({ server, path }: { server: McpServer; path: string }) {
  const [opened, setOpened] = useState<'connect' | 'disconnect'>();
  const close = () => setOpened(undefined);
  const changes = [['mcp-server', path]];
  const { answer, complete } = useAnswer(path);
  const disconnect = useAction({
    act: () => call('DELETE', `${path}/authorization`),
    changes,
    done: 'Server disconnected',
    onDone: close,
  });
  const isConnected = server.authorization_status !== 'none';
  const buttons = (
    <span className="flex gap-2">
      {isConnected && (
        <Button needs="resources.manage" onClick={() => setOpened('disconnect')}>
          Disconnect
        </Button>
      )}
      <Button needs="resources.manage" isBusy={complete.isPending} onClick={() => setOpened('connect')}>
        {isConnected ? 'Connect again' : 'Connect'}
      </Button>
    </span>
  );
  return (
    <Card title="Account" aside={buttons}>
      <p role="status">{STATES[server.authorization_status]}</p>
      {answer?.error !== undefined && (
        <Failure
          error={new Error('The server was not connected: the authorization was declined or failed. Try again.')}
        />
      )}
      {complete.error && <Failure error={complete.error} />}
      {opened === 'connect' && <ConnectDialog path={path} name={server.name} onClose={close} />}
      {opened === 'disconnect' && (
        <Confirm
          title="Disconnect the MCP server"
          action="Disconnect"
          isBusy={disconnect.isPending}
          error={disconnect.error}
          onConfirm={() => disconnect.mutate()}
          onClose={close}
        >
          Its tools can no longer be called with the access of the account or client.
        </Confirm>
      )}
    </Card>
  );
}

interface Answer {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/** Takes the answer of the authorization server from the address, so that a reload does not send it again. */
function useAnswer(path: string) {
  const [answer, setAnswer] = useState<Answer>();
  const isTaken = useRef(false);
  const complete = useAction({
    act: ({ state, code, iss }: Answer) => call('POST', `${path}/authorization`, { body: { state, code, iss } }),
    changes: [['mcp-server', path]],
    done: 'Server connected',
  });
  const { mutate } = complete;
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    const taken = takeAnswer();
    setAnswer(taken);
    if (taken?.code !== undefined) mutate(taken);
  }, [mutate]);
  return { answer, complete };
}

function takeAnswer(): Answer | undefined {
  const { hash, pathname, search } = window.location;
  const given = new URLSearchParams(hash.slice(1));
  const state = given.get('state');
  if (state === null) return undefined;
  window.history.replaceState(window.history.state, '', `${pathname}${search}`);
  const [code, iss, error] = [given.get('code'), given.get('iss'), given.get('error')];
  return { state, code: code ?? undefined, iss: iss ?? undefined, error: error ?? undefined };
}
