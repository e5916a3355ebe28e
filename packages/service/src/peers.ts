import { fields } from '@tollgate/runtime';

/** The services that serve RPCs, with the proto package of each. */
const PEER_PACKAGES = {
  'agent-registry': 'tollgate.agents.v1',
  'billing-ledger': 'tollgate.billing.v1',
  'gateway-inference': 'tollgate.inference.v1',
  'hooks-webhooks': 'tollgate.hooks.v1',
  messaging: 'tollgate.messaging.v1',
  'workflow-engine': 'tollgate.workflow.v1',
} as const;

export type PeerName = keyof typeof PEER_PACKAGES;

export const PEER_NAMES = Object.keys(PEER_PACKAGES) as PeerName[];

/** The setting that holds a peer's address: `BILLING_LEDGER_ADDR`. */
export function addressVariable(peer: PeerName): string {
  return `${peer.replaceAll('-', '_').toUpperCase()}_ADDR`;
}

/** The address settings of the peers. With a wrong address, calls to that peer fail as unavailable. */
export function addressFields(peers: readonly PeerName[]) {
  return Object.fromEntries(peers.map((peer) => [addressVariable(peer), fields.text().default(`${peer}:50051`)]));
}

/** The services behind the addresses of a configuration, with their proto packages. */
export function toPeers(addresses: Readonly<Record<string, string>>): { name: PeerName; protoPackage: string }[] {
  return PEER_NAMES.map((name) => ({ name, protoPackage: PEER_PACKAGES[name] })).filter(
    ({ protoPackage }) => protoPackage in addresses,
  );
}

/** The addresses that the environment gives, by proto package. */
export function toAddresses(
  peers: readonly PeerName[],
  env: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(peers.map((peer) => [PEER_PACKAGES[peer], String(env[addressVariable(peer)])]));
}
