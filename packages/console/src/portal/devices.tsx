import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Device } from '../api/types.js';
import { useAction } from '../api/use-action.js';
import { Badge } from '../parts/badge.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { Confirm } from '../parts/confirm.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Loaded } from '../parts/states.js';
import { When } from '../parts/when.js';
import { callAsCustomer, endPortal } from './portal-session.js';
import { devicesQuery } from './queries.js';

export function Devices({ ownId }: { ownId: string }) {
  const query = useQuery(devicesQuery);
  const [ending, setEnding] = useState<Device>();
  return (
    <Card title="Signed-in devices" isFlush>
      <Loaded query={query}>
        {({ devices }) => (
          <DataTable
            label="Signed-in devices"
            rows={devices}
            columns={toColumns(ownId, setEnding)}
            getKey={({ id }) => id}
          />
        )}
      </Loaded>
      {ending && <SignOut device={ending} isOwn={ending.id === ownId} onClose={() => setEnding(undefined)} />}
    </Card>
  );
}

function toColumns(ownId: string, end: (device: Device) => void): readonly Column<Device>[] {
  return [
    { header: 'Device', cell: (device) => <Name device={device} isOwn={device.id === ownId} /> },
    { header: 'Signed in', cell: ({ signed_in_at: at }) => <When at={at} />, isSecondary: true },
    { header: 'Until', cell: ({ expires_at: at }) => <When at={at} />, isSecondary: true },
    {
      header: 'Action',
      cell: (device) => (
        <Button onClick={() => end(device)} aria-label={`Sign out ${describeDevice(device)}`}>
          Sign out
        </Button>
      ),
      isFigure: true,
    },
  ];
}

function Name({ device, isOwn }: { device: Device; isOwn: boolean }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="break-words" title={device.user_agent}>
        {describeDevice(device)}
      </span>
      {isOwn && <Badge tone="accent">This page</Badge>}
    </div>
  );
}

const BROWSERS = ['Edg', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const;

/** `Chrome on Linux`; the name of another program as it is. */
function describeDevice({ kind, user_agent: agent = '' }: Device): string {
  const browser = BROWSERS.find((name) => agent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => agent.includes(name));
  if (browser === undefined) return agent.split(' ')[0] || (kind === 'portal' ? 'Browser' : 'Device');
  return `${browser.replace('Edg', 'Edge')}${system === undefined ? '' : ` on ${system.replace('Mac OS X', 'macOS')}`}`;
}

function SignOut({ device, isOwn, onClose }: { device: Device; isOwn: boolean; onClose: () => void }) {
  const end = useAction({
    act: () => callAsCustomer('DELETE', `/customers/me/devices/${device.id}`),
    changes: isOwn ? [] : [['devices']],
    done: 'Device signed out',
    onDone: isOwn ? endPortal : onClose,
  });
  return (
    <Confirm
      title="Sign the device out"
      action="Sign out"
      isBusy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      {isOwn ? 'This page closes.' : `${describeDevice(device)} loses access within seconds and has to sign in again.`}
    </Confirm>
  );
}
