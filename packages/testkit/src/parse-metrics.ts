/** The series of one name. */
export interface MetricFamily {
  type: string;
  help: string;
  /** `_bucket`, `_count` and `_sum` of a histogram are separate samples. */
  samples: MetricSample[];
}

export interface MetricSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const SUFFIX = /_(bucket|count|sum)$/;

/**
 * Reads a page in Prometheus' text format 0.0.4, by name. @throws Error when Prometheus would reject the page or drop a
 * series of it: a malformed line, a name without a type, a name in two places, a duplicate series
 */
export function parseMetrics(text: string): Record<string, MetricFamily> {
  const families: Record<string, MetricFamily> = {};
  const seen = new Set<string>();
  let current = '';
  let help = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const described = HELP.exec(line);
    const typed = TYPE.exec(line);
    if (described) help = described[2] ?? '';
    else if (typed) {
      current = typed[1] ?? '';
      if (families[current]) throw new Error(`${current} has two descriptions`);
      families[current] = { type: typed[2] ?? '', help, samples: [] };
    } else {
      const sample = toSample(line);
      const family = families[current];
      const name = family?.type === 'histogram' ? sample.name.replace(SUFFIX, '') : sample.name;
      if (!family || name !== current) throw new Error(`${sample.name} does not follow its type`);
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(key)) throw new Error(`${key} is a duplicate`);
      seen.add(key);
      family.samples.push(sample);
    }
  }
  return families;
}

function toSample(line: string): MetricSample {
  const [, name, text = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const [, label, quoted] = LABEL.exec(text) ?? [];
    if (label === undefined || label in labels) throw new Error(`not a list of labels: ${line}`);
    labels[label] = JSON.parse(`"${quoted}"`);
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}
