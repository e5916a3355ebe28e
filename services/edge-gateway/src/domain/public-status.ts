export type AreaStatus = 'operational' | 'degraded' | 'down';

export interface PublicStatus {
  /** `down` while the API itself is. */
  status: AreaStatus;
  areas: readonly { name: string; status: AreaStatus }[];
}

interface Health {
  status: 'ready' | 'degraded' | 'unavailable';
  dependencies: readonly { name: string; state: 'up' | 'degraded' | 'down' }[];
}

interface Area {
  name: string;
  /** Dependencies without which nothing in the area works. */
  needs: readonly string[];
  /** Dependencies without which part of the area fails or is delayed. */
  uses: readonly string[];
}

const API = 'API';
const EVENTS = ['kafka', 'events'];
const AREAS: readonly Area[] = [
  { name: 'Models', needs: ['gateway-inference', 'billing-ledger'], uses: [] },
  { name: 'Billing', needs: ['billing-ledger'], uses: [] },
  { name: 'Runs', needs: ['workflow-engine', 'billing-ledger'], uses: ['gateway-inference', 'agent-registry'] },
  { name: 'Agents', needs: ['agent-registry'], uses: ['messaging'] },
  { name: 'Webhooks', needs: ['hooks-webhooks'], uses: [...EVENTS, 'outbox'] },
  { name: 'Events', needs: EVENTS, uses: ['outbox'] },
];

/** Returns the public status of each area. Contains no names of services and no reasons. */
export function toPublicStatus({ status, dependencies }: Health): PublicStatus {
  const findState = (name: string) => dependencies.find((dependency) => dependency.name === name)?.state ?? 'up';
  const api = { name: API, status: status === 'unavailable' ? 'down' : 'operational' } as const;
  const areas = AREAS.map(({ name, needs, uses }): { name: string; status: AreaStatus } => {
    if (needs.some((need) => findState(need) === 'down')) return { name, status: 'down' };
    const isWhole = [...needs, ...uses].every((part) => findState(part) === 'up');
    return { name, status: isWhole ? 'operational' : 'degraded' };
  });
  const isWhole = areas.every((area) => area.status === 'operational');
  return { status: api.status === 'down' ? 'down' : isWhole ? 'operational' : 'degraded', areas: [api, ...areas] };
}
