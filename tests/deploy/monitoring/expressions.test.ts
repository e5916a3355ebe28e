// Dashboards and rules use nothing but series and labels that the services emit.
import { describe, expect, it } from '@jest/globals';
import {
  dashboardExpressions,
  dashboards,
  type Expression,
  recorded,
  ruleExpressions,
  runbookExpressions,
  variables,
} from './expressions.js';
import { contract, labelsOfSeries, metricsInCode, TARGET_LABELS } from './metrics-contract.js';
import { type Matcher, type Query, readQuery } from './promql.js';

describe('reading PromQL', () => {
  it('finds the series, the matchers and the labels of each grouping', () => {
    const query = readQuery('sum by (a, b) (rate(x_total{c="1", d=~"2|3"}[5m])) / on (a) group_left (e) y');
    expect(query.selectors).toEqual([
      {
        series: 'x_total',
        matchers: [
          { label: 'c', operator: '=', value: '1' },
          { label: 'd', operator: '=~', value: '2|3' },
        ],
      },
      { series: 'y', matchers: [] },
    ]);
    expect(query.groupings).toEqual([
      { keyword: 'by', labels: ['a', 'b'], series: ['x_total'] },
      { keyword: 'on', labels: ['a', 'e'], series: ['x_total', 'y'] },
    ]);
  });

  it.each(['sum by( (x', 'rate(x[5m]', 'x{a=}'])('rejects %s', (expression) => {
    expect(() => readQuery(expression)).toThrow('not PromQL');
  });
});

it.each([
  ['tollgate_nothing_total', 'tollgate_nothing_total is not emitted'],
  ['tollgate_rpc_request_duration_seconds', 'tollgate_rpc_request_duration_seconds is not emitted'],
  ['sum by (queue) (tollgate_outbox_rows)', 'no series has the label queue'],
  ['tollgate_outbox_rows{queue="a"}', 'tollgate_outbox_rows has no label queue'],
  ['tollgate_webhook_deliveries_total{outcome=~"failed|lost"}', 'outcome is never lost'],
  ['tollgate_refusals_total{code="UNAVAILABLE"}', 'code is never UNAVAILABLE'],
  ['tollgate_ready{service="ledger"}', 'service is never ledger'],
  ['tollgate:nothing:rate5m', 'tollgate:nothing:rate5m is not emitted'],
])('finds what is wrong with %s', (expression, fault) => {
  expect(findFaults({ where: '', expression, shown: [] })).toEqual([fault]);
});

it('finds a caption that shows a label which the expression drops', () => {
  const expression = 'sum by (queue) (tollgate_queue_depth)';
  expect(findFaults({ where: '', expression, shown: ['service'] })).toEqual(['the caption shows service']);
});

const all = [...ruleExpressions, ...dashboardExpressions, ...runbookExpressions];

it.each(all)('uses only emitted series and labels: $where', (expression) => {
  expect(findFaults(expression)).toEqual([]);
});

it.each(variables)('offers values of a label that exists: $title, $name', ({ query }) => {
  const [, series = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
  expect(Object.keys(labelsOfSeries(series) ?? {})).toContain(label);
});

it('lists the metrics that the code defines, and no others', () => {
  const defined = metricsInCode();
  expect(defined.filter((name) => !contract[name])).toEqual([]);
  expect(Object.keys(contract).filter((name) => !defined.includes(name))).toEqual([]);
});

it('shows every metric in a dashboard or a rule', () => {
  const used = [...ruleExpressions, ...dashboardExpressions].flatMap(({ expression }) =>
    readQuery(expression).selectors.map(({ series }) => series.replace(/_(bucket|count|sum)$/, '')),
  );
  expect(Object.keys(contract).filter((name) => !used.includes(name))).toEqual([]);
});

it('gives each dashboard an id and a title of its own, and no panel the place of another', () => {
  for (const key of ['uid', 'title'] as const) {
    expect(new Set(dashboards.map((dashboard) => dashboard[key])).size).toBe(dashboards.length);
  }
  for (const { panels, title } of dashboards) {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect({ title, cells: new Set(cells).size }).toEqual({ title, cells: cells.length });
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  }
});

function findFaults({ expression, shown }: Expression): string[] {
  const query = readQuery(expression);
  return [
    ...query.selectors.flatMap(({ series, matchers }) => {
      if (recorded.includes(series)) return [];
      const labels = labelsOfSeries(series);
      if (!labels) return [`${series} is not emitted`];
      return matchers.flatMap((matcher) => faultOfMatcher(series, labels, matcher));
    }),
    ...faultsOfGroupings(query),
    ...shown.filter((label) => !isKept(query, label)).map((label) => `the caption shows ${label}`),
  ];
}

function faultOfMatcher(series: string, labels: Record<string, string[] | null>, matcher: Matcher): string[] {
  const { label, operator, value } = matcher;
  const known = labels[label];
  if (known === undefined) return TARGET_LABELS.includes(label) ? [] : [`${series} has no label ${label}`];
  if (known === null || value.startsWith('$')) return [];
  const wanted = operator.includes('~') ? value.split('|') : [value];
  return wanted.filter((each) => !known.includes(each)).map((each) => `${label} is never ${each}`);
}

function faultsOfGroupings({ groupings }: Query): string[] {
  return groupings.flatMap(({ labels, series }) => {
    const known = [...TARGET_LABELS, ...series.flatMap((each) => Object.keys(labelsOfSeries(each) ?? {}))];
    return labels.filter((label) => !known.includes(label)).map((label) => `no series has the label ${label}`);
  });
}

/** A label is in the result when the outermost aggregation keeps it, and every label when there is none. */
function isKept({ groupings }: Query, label: string): boolean {
  const kept = groupings.filter(({ keyword }) => keyword === 'by');
  return kept.length === 0 || kept.some(({ labels }) => labels.includes(label));
}
