import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { SignIn } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useTexts } from '../../shell/use-list-search.js';

/** Every session of the user, in all projects. */
export function SignInsScreen() {
  const [{ cursor }] = useTexts();
  const [ending, setEnding] = useState<SignIn>();
  const query = useQuery({
    queryKey: ['sign-ins', cursor],
    queryFn: ({ signal }) =>
      get<{ sign_ins: SignIn[]; next_cursor?: string }>(
        '/auth/sign-ins',
        cursor === undefined ? {} : { cursor },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Sign-ins" hint="Where you are signed in: browsers, command lines and other programs, newest first.">
      <Card isFlush>
        <Loaded query={query}>
          {({ sign_ins: signIns, next_cursor: next }) => (
            <>
              <DataTable label="Sign-ins" rows={signIns} columns={toColumns(setEnding)} getKey={({ id }) => id} />
              <CursorPager next={next} />
            </>
          )}
        </Loaded>
      </Card>
      {ending && <EndSignIn signIn={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}

const toName = ({ client_name: name }: SignIn) => name ?? 'Browser or password';

function toColumns(end: (signIn: SignIn) => void): readonly Column<SignIn>[] {
  return [
    { header: 'Program', cell: (signIn) => <span className="font-medium break-words">{toName(signIn)}</span> },
    {
      header: 'Address',
      cell: ({ address }) => (address ? <code className="font-mono text-xs">{address}</code> : '–'),
      isSecondary: true,
    },
    { header: 'Signed in', cell: ({ signed_in_at: at }) => <When at={at} />, isSecondary: true },
    { header: 'Until', cell: ({ expires_at: at }) => <When at={at} />, isSecondary: true },
    {
      header: 'Action',
      cell: (signIn) => (
        <Button onClick={() => end(signIn)} aria-label={`Sign out ${toName(signIn)}`}>
          Sign out
        </Button>
      ),
      isFigure: true,
    },
  ];
}

function EndSignIn({ signIn, onClose }: { signIn: SignIn; onClose: () => void }) {
  const end = useAction({
    act: () => call('DELETE', `/auth/sign-ins/${signIn.id}`),
    changes: [['sign-ins']],
    done: 'Signed out',
    onDone: onClose,
  });
  return (
    <Confirm
      title="End the sign-in"
      action="Sign out"
      isBusy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      {toName(signIn)} loses access within seconds and has to sign in again. This may be the browser that you are using.
    </Confirm>
  );
}
