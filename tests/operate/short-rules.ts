// The rules of deploy/prometheus with shorter durations, so that an exercise takes seconds instead of minutes.
import { readFileSync } from 'node:fs';
import { dump, load } from 'js-yaml';
import { rulesFile } from '../deploy/monitoring/expressions.js';

/** Ranges and `for` are divided by this: 5 minutes become 5 seconds. */
const FACTOR = 60;
/** Replaces thresholds of ages. */
const AGE_SECONDS = 10;

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 } as const;

interface RuleFile {
  groups: { interval?: string; rules: { expr: string; for?: string }[] }[];
}

/** Returns the text of the rule file with shorter ranges, `for` and thresholds of ages. Counts and ratios stay. */
export function shortRules(): string {
  const file = load(readFileSync(rulesFile, 'utf8')) as RuleFile;
  for (const group of file.groups) {
    group.interval = '1s';
    for (const rule of group.rules) {
      rule.expr = shortExpression(rule.expr);
      if (rule.for) rule.for = shortDuration(rule.for);
    }
  }
  return dump(file);
}

export function shortExpression(expression: string): string {
  return expression
    .replaceAll(/(?<=\[)\d+[smh](?=\])|(?<=\boffset )\d+[smh]\b/g, shortDuration)
    .replaceAll(/((?:_age_seconds|_timestamp_seconds)\)\s*> )[\d* ]*\d/g, `$1${AGE_SECONDS}`);
}

function shortDuration(text: string): string {
  const unit = text.at(-1) as keyof typeof UNIT_SECONDS;
  return `${Math.max(1, Math.round((Number.parseInt(text, 10) * UNIT_SECONDS[unit]) / FACTOR))}s`;
}
