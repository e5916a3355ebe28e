import { describe, expect, it } from '@jest/globals';
import { parseMetrics } from './parse-metrics.js';

const page = (...lines: string[]) => `${lines.join('\n')}\n`;

describe('parseMetrics', () => {
  it('reads counters, gauges and histograms', () => {
    const text = page(
      '# HELP a_total A.',
      '# TYPE a_total counter',
      'a_total{x="1",y="a \\"b\\" \\\\ \\n"} 2',
      '# HELP b_seconds B.',
      '# TYPE b_seconds histogram',
      'b_seconds_count 1',
      'b_seconds_sum 0.5',
      'b_seconds_bucket{le="+Inf"} 1',
    );
    expect(parseMetrics(text)).toEqual({
      a_total: {
        type: 'counter',
        help: 'A.',
        samples: [{ name: 'a_total', labels: { x: '1', y: 'a "b" \\ \n' }, value: 2 }],
      },
      b_seconds: {
        type: 'histogram',
        help: 'B.',
        samples: [
          { name: 'b_seconds_count', labels: {}, value: 1 },
          { name: 'b_seconds_sum', labels: {}, value: 0.5 },
          { name: 'b_seconds_bucket', labels: { le: '+Inf' }, value: 1 },
        ],
      },
    });
  });

  it('rejects a page that Prometheus would reject', () => {
    const counter = ['# HELP a_total A.', '# TYPE a_total counter'];
    expect(() => parseMetrics(page(...counter, 'a_total{x="1"} 1', 'a_total{x="1"} 2'))).toThrow('is a duplicate');
    expect(() => parseMetrics(page(...counter, 'a_total{x="1} 1'))).toThrow('not a list of labels');
    expect(() => parseMetrics(page(...counter, 'a-total 1'))).toThrow('not a sample');
    expect(() => parseMetrics(page(...counter, 'a_total 1', ...counter))).toThrow('has two descriptions');
    expect(() => parseMetrics(page('# TYPE a_total number'))).toThrow('not a sample');
    expect(() => parseMetrics(page(...counter, 'b_total 1'))).toThrow('b_total does not follow its type');
  });
});
