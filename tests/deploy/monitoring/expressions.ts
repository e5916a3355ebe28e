// Every PromQL expression of the dashboards and of the rules.
import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { root } from '../chart.js';

export interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface Dashboard {
  uid: string;
  title: string;
  panels: {
    id: number;
    type: string;
    title: string;
    gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
    targets?: { expr: string; legendFormat: string }[];
  }[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
}

/** An expression, where it is written, and the labels that its caption shows. */
export interface Expression {
  where: string;
  expression: string;
  shown: string[];
}

export const rulesFile = `${root}deploy/prometheus/rules.yaml`;
const rules = (load(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
export const alerts = rules.filter((rule) => rule.alert !== undefined);
export const recorded = rules.flatMap((rule) => rule.record ?? []);

const dashboardFolder = `${root}deploy/grafana`;
export const dashboards: Dashboard[] = readdirSync(dashboardFolder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(`${dashboardFolder}/${file}`, 'utf8')));

export const ruleExpressions: Expression[] = rules.map((rule) => ({
  where: `rule ${rule.alert ?? rule.record}`,
  expression: rule.expr,
  shown: labelsIn(/\$labels\.(\w+)/g, Object.values(rule.annotations ?? {}).join(' ')),
}));

export const dashboardExpressions: Expression[] = dashboards.flatMap((dashboard) =>
  dashboard.panels.flatMap((panel) =>
    (panel.targets ?? []).map((target) => ({
      where: `${dashboard.title}, ${panel.title}`,
      expression: target.expr.replaceAll('$__rate_interval', '5m'),
      shown: labelsIn(/\{\{(\w+)\}\}/g, target.legendFormat),
    })),
  ),
);

const runbookFolder = `${root}deploy/runbooks`;
const runbooks = readdirSync(runbookFolder).map((file) => ({
  where: `runbook ${file}`,
  text: readFileSync(`${runbookFolder}/${file}`, 'utf8'),
}));

export const runbookExpressions: Expression[] = runbooks.flatMap(({ where, text }) =>
  readBlocks(text, 'promql').map((expression) => ({ where, expression, shown: [] })),
);

/** The SQL statements that the runbooks contain. */
export const runbookStatements = runbooks.flatMap(({ where, text }) =>
  readBlocks(text, 'sql').map((statement) => ({ where, statement })),
);

/** The queries of the variables that a dashboard offers: `label_values(series, label)`. */
export const variables = dashboards.flatMap(({ title, templating }) =>
  templating.list.flatMap(({ name, query }) =>
    typeof query === 'string' ? [] : [{ title, name, query: query.query }],
  ),
);

function labelsIn(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([, label = '']) => label);
}

function readBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, 'g'))].map(([, block = '']) => block);
}
