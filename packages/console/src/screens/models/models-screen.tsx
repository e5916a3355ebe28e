import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsQuery } from '../../api/queries.js';
import type { Model, ModelRoute, UsageFigures } from '../../api/types.js';
import { formatCents } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { TextField } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { ModelHealth, useModelHealth } from './model-health.js';
import { ModelRoutes, useModelRoutes } from './model-routes.js';

const columns = (
  health: ReadonlyMap<string, UsageFigures>,
  routes: ReadonlyMap<string, readonly ModelRoute[]> | undefined,
): readonly Column<Model>[] => [
  {
    header: 'Model',
    cell: ({ display_name: name, model_id: id, deprecated }) => (
      <>
        <div className="font-medium">
          {name} {deprecated && <Badge tone="warn">deprecated</Badge>}
        </div>
        <code className="font-mono text-xs text-soft">{id}</code>
      </>
    ),
  },
  {
    header: 'Routes',
    cell: ({ model_id: id, provider }) => {
      const own = routes?.get(id);
      return own ? <ModelRoutes routes={own} /> : <span className="text-soft">{provider}</span>;
    },
  },
  {
    header: 'Can',
    isSecondary: true,
    cell: ({ capabilities }) => (
      <span className="line-clamp-2 max-w-72 text-xs text-soft">
        {capabilities.join(', ').replaceAll('_', ' ') || '–'}
      </span>
    ),
  },
  {
    header: 'Last 24 hours',
    cell: ({ model_id: id }) => <ModelHealth figures={health.get(id)} />,
    isSecondary: true,
  },
  { header: 'Context', cell: ({ context_window: tokens }) => formatCount(tokens), isFigure: true, isSecondary: true },
  { header: 'Cost of input', cell: (model) => toPrice(model.input_cost_per_million_cents), isFigure: true },
  {
    header: 'Cost of output',
    cell: (model) => toPrice(model.output_cost_per_million_cents ?? model.price_per_image_cents),
    isFigure: true,
  },
];

function toPrice(cents: number | undefined): string {
  return cents === undefined ? '–' : formatCents(cents);
}

export function ModelsScreen() {
  const query = useQuery(modelsQuery);
  const health = useModelHealth();
  const routes = useModelRoutes();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  return (
    <Page
      title="Models"
      hint="The catalog of this deployment with its routes, and how it has answered this project. Costs are per million tokens, or per image."
    >
      <div className="max-w-sm">
        <TextField
          label="Filter"
          type="search"
          placeholder="Name, provider or ability"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Card isFlush>
        <Loaded query={query}>
          {({ models }) => (
            <DataTable
              label="Models"
              rows={sortByUse(models, health, routes).filter((model) => describe(model).includes(wanted))}
              columns={columns(health, routes)}
              getKey={({ model_id: id, provider }) => `${provider} ${id}`}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

/** Models with an avoided route come first, then those that the project uses. */
function sortByUse(
  models: readonly Model[],
  health: ReadonlyMap<string, UsageFigures>,
  routes: ReadonlyMap<string, readonly ModelRoute[]> | undefined,
): Model[] {
  const isAvoided = ({ model_id: id }: Model) => Number(routes?.get(id)?.some(({ circuit }) => circuit !== 'closed'));
  const count = ({ model_id: id }: Model) => health.get(id)?.requests ?? 0;
  return [...models].sort((a, b) => (isAvoided(b) || 0) - (isAvoided(a) || 0) || count(b) - count(a));
}

function describe({ display_name, model_id, provider, capabilities }: Model): string {
  return [display_name, model_id, provider, ...capabilities].join(' ').replaceAll('_', ' ').toLowerCase();
}
