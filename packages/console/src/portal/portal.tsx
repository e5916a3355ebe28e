import { useQuery } from '@tanstack/react-query';
import { LogOut, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import type { PortalSession } from '../api/types.js';
import { useAction } from '../api/use-action.js';
import { Button } from '../parts/button.js';
import { Loaded } from '../parts/states.js';
import { Tabs } from '../parts/tabs.js';
import { useTheme } from '../shell/theme.js';
import { Account } from './account.js';
import { BackLink } from './back-link.js';
import { Devices } from './devices.js';
import { Payments } from './payments.js';
import { Plans } from './plans.js';
import { callAsCustomer, endPortal } from './portal-session.js';
import { meQuery } from './queries.js';

/** A customer's account with a project. */
export function Portal({ session }: { session: PortalSession }) {
  const { name } = session.project;
  const me = useQuery(meQuery);
  const [tab, setTab] = useState('account');
  return (
    <>
      <title>{`Your account · ${name}`}</title>
      <TopBar session={session} />
      <main className="mx-auto flex w-full max-w-4xl flex-col gap-5 px-4 py-6 md:px-8">
        <header>
          <h1 className="text-xl font-semibold">Your account</h1>
          <p className="mt-0.5 break-words text-soft">{me.data?.customer.email}</p>
        </header>
        <Loaded query={me}>
          {(envelope) => (
            <Tabs
              value={tab}
              onChange={setTab}
              tabs={[
                { id: 'account', label: 'Overview', content: <Account me={envelope} onPlans={() => setTab('plan')} /> },
                { id: 'plan', label: 'Plan', content: <Plans me={envelope} /> },
                { id: 'payments', label: 'Payments', content: <Payments me={envelope} projectName={name} /> },
                { id: 'devices', label: 'Devices', content: <Devices ownId={session.session_id} /> },
              ]}
            />
          )}
        </Loaded>
      </main>
    </>
  );
}

function TopBar({ session: { session_id: id, project, return_url: returnUrl } }: { session: PortalSession }) {
  const [isDark, toggle] = useTheme();
  const Icon = isDark ? Sun : Moon;
  const signOut = useAction({
    act: () => callAsCustomer('DELETE', `/customers/me/devices/${id}`),
    changes: [],
    onDone: endPortal,
  });
  return (
    <header className="border-b border-t-4 border-t-accent bg-surface">
      <div className="mx-auto flex max-w-4xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 md:px-8">
        <span className="min-w-0 flex-1 truncate text-base font-semibold">{project.name}</span>
        {returnUrl !== undefined && <BackLink url={returnUrl} name={project.name} />}
        <span className="flex">
          <Button look="quiet" className="px-2" aria-label={isDark ? 'Light colors' : 'Dark colors'} onClick={toggle}>
            <Icon className="size-4" aria-hidden />
          </Button>
          <Button
            look="quiet"
            className="px-2"
            aria-label="Sign out"
            isBusy={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            <LogOut className="size-4" aria-hidden />
          </Button>
        </span>
      </div>
    </header>
  );
}
