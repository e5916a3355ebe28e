import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { CustomerEnvelope } from '../../api/types.js';
import { Button } from '../../parts/button.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { Tabs } from '../../parts/tabs.js';
import { useProjectId, useTab } from '../../shell/use-list-search.js';
import { BlockCustomer } from './block-customer.js';
import { ChangeTier } from './change-tier.js';
import { CreditCustomer } from './credit-customer.js';
import { CustomerRequests, CustomerRuns } from './customer-activity.js';
import { CustomerProfile } from './customer-profile.js';
import { CustomerUsageTab } from './customer-usage.js';
import { DeleteCustomer } from './delete-customer.js';
import { MintToken } from './mint-token.js';
import { OpenPortal } from './open-portal.js';
import { TopUpCustomer } from './top-up-customer.js';
import { WalletHistory } from './wallet-history.js';
import { WithdrawCredit } from './withdraw-credit.js';

const DIALOGS = {
  tier: ChangeTier,
  credit: CreditCustomer,
  withdraw: WithdrawCredit,
  topUp: TopUpCustomer,
  token: MintToken,
  portal: OpenPortal,
  block: BlockCustomer,
  delete: DeleteCustomer,
} as const;

export function CustomerScreen() {
  const projectId = useProjectId();
  const { customerId } = useParams({ from: '/p/$projectId/customers/$customerId' });
  const query = useQuery({
    queryKey: ['customer', projectId, customerId],
    queryFn: ({ signal }) => get<CustomerEnvelope>(`/projects/${projectId}/customers/${customerId}`, {}, signal),
  });
  const [open, setOpen] = useState<keyof typeof DIALOGS>();
  const [tab, setTab] = useTab('profile');
  const isBlocked = query.data?.customer.blocked_at !== undefined;
  const OpenDialog = open && DIALOGS[open];
  const trail = (
    <Link to="/p/$projectId/customers" params={{ projectId }} className="hover:underline">
      Customers
    </Link>
  );
  const actions = (
    <>
      <Button needs="money.manage" onClick={() => setOpen('tier')}>
        Change tier
      </Button>
      <Menu
        trigger={<Button>More</Button>}
        items={[
          { label: 'Grant credit', onPick: () => setOpen('credit'), needs: 'money.manage' },
          { label: 'Withdraw credit', onPick: () => setOpen('withdraw'), needs: 'money.manage' },
          { label: 'Top up the wallet', onPick: () => setOpen('topUp'), needs: 'money.manage' },
          { label: 'Open portal', onPick: () => setOpen('portal'), needs: 'customers.manage' },
          { label: 'Mint a token', onPick: () => setOpen('token'), needs: 'customers.manage' },
          { label: isBlocked ? 'Unblock' : 'Block', onPick: () => setOpen('block'), needs: 'customers.manage' },
          { label: 'Delete', onPick: () => setOpen('delete'), isDanger: true, needs: 'customers.delete' },
        ]}
      />
    </>
  );
  return (
    <Page title={query.data?.customer.external_id ?? 'Customer'} trail={trail} actions={query.data && actions}>
      <Loaded query={query}>
        {(envelope) => (
          <>
            <Tabs
              value={tab}
              onChange={setTab}
              tabs={[
                { id: 'profile', label: 'Profile', content: <CustomerProfile envelope={envelope} /> },
                { id: 'usage', label: 'Usage', content: <CustomerUsageTab customerId={customerId} /> },
                { id: 'wallet', label: 'Wallet', content: <WalletHistory customerId={customerId} /> },
                { id: 'requests', label: 'Requests', content: <CustomerRequests customerId={customerId} /> },
                { id: 'runs', label: 'Runs', content: <CustomerRuns customerId={customerId} /> },
              ]}
            />
            {OpenDialog && <OpenDialog envelope={envelope} onClose={() => setOpen(undefined)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
