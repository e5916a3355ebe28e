// Reads what a PromQL expression uses, with the grammar of Prometheus' own editor.
import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

export interface Selector {
  series: string;
  matchers: Matcher[];
}

/** Labels that a `by`, `without`, `on`, `ignoring` or `group_left` names, and the series below it. */
export interface Grouping {
  keyword: string;
  labels: string[];
  series: string[];
}

export interface Query {
  selectors: Selector[];
  groupings: Grouping[];
}

const GROUPED = new Set(['AggregateModifier', 'MatchingModifierClause']);

/** @throws Error when the expression is not PromQL. */
export function readQuery(expression: string): Query {
  const query: Query = { selectors: [], groupings: [] };
  const text = (node: Node) => expression.slice(node.from, node.to);
  const tree = parser.parse(expression);
  tree.iterate({
    enter: ({ from, type }) => {
      if (type.isError) throw new Error(`not PromQL at character ${from}: ${expression}`);
    },
  });
  tree.iterate({
    enter: ({ node, name }) => {
      if (name === 'VectorSelector') query.selectors.push(readSelector(node, text));
      if (GROUPED.has(name)) query.groupings.push(readGrouping(node, text));
    },
  });
  return query;
}

function readSelector(node: Node, text: (node: Node) => string): Selector {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  const name = node.getChild('Identifier');
  return {
    series: name ? text(name) : '',
    matchers: matchers.map((matcher) => ({
      label: text(matcher.getChild('LabelName') as Node),
      operator: text(matcher.getChild('MatchOp') as Node),
      value: text(matcher.getChild('StringLiteral') as Node).slice(1, -1),
    })),
  };
}

function readGrouping(node: Node, text: (node: Node) => string): Grouping {
  const lists = node.getChildren('GroupingLabels');
  const series: string[] = [];
  node.parent?.cursor().iterate((child) => {
    if (child.name === 'Identifier') series.push(text(child.node));
  });
  return {
    keyword: text(node.firstChild as Node),
    labels: lists.flatMap((list) => list.getChildren('LabelName').map(text)),
    series,
  };
}
