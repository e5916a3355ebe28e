import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import type { ModelRoute } from '../../api/types.js';
import { formatAmount } from '../../format/numbers.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { When } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';

const REFRESH_MS = 10_000;

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  closed: ['good', 'in use'],
  open: ['bad', 'avoided'],
  half_open: ['warn', 'being probed'],
};

/** The routes of each model, in the order in which they are asked. Undefined while they are not known. */
export function useModelRoutes(): ReadonlyMap<string, readonly ModelRoute[]> | undefined {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['model routes', projectId],
    queryFn: ({ signal }) => get<{ routes: ModelRoute[] }>(`/projects/${projectId}/model-routes`, {}, signal),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  return data && groupByModel(data.routes);
}

function groupByModel(routes: readonly ModelRoute[]): Map<string, ModelRoute[]> {
  const byModel = new Map<string, ModelRoute[]>();
  for (const route of routes) byModel.set(route.model_id, [...(byModel.get(route.model_id) ?? []), route]);
  return byModel;
}

export function ModelRoutes({ routes }: { routes: readonly ModelRoute[] | undefined }) {
  if (!routes) return <span className="text-soft">–</span>;
  return (
    <ul className="flex flex-col gap-1.5">
      {routes.map((route) => (
        <li key={`${route.provider} ${route.upstream_model}`}>
          <Route route={route} />
        </li>
      ))}
    </ul>
  );
}

function Route({
  route: { provider, upstream_model: model, circuit, failures, since, next_probe_at: next },
}: {
  route: ModelRoute;
}) {
  const [tone, name] = STATES[circuit] ?? ['neutral', circuit];
  return (
    <>
      <div className="flex flex-wrap items-center gap-2" title={model}>
        {provider} <Badge tone={tone}>{name}</Badge>
      </div>
      {failures > 0 && (
        <div className="mt-0.5 text-xs text-soft">
          {formatAmount(failures, 'failure')} in a row
          {circuit !== 'closed' && since !== undefined && (
            <>
              , since <When at={since} />
            </>
          )}
          {circuit === 'open' && next !== undefined && (
            <>; next try {Date.parse(next) > Date.now() ? <When at={next} /> : 'with the next request'}</>
          )}
        </div>
      )}
    </>
  );
}
