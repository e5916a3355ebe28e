// The rules pass promtool, each alert has a unit test and a runbook.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { root } from '../chart.js';
import { alerts, rulesFile } from './expressions.js';

const run = promisify(execFile);
const promtool = process.env.PROMTOOL;
const testsFile = `${root}deploy/prometheus/rules.test.yaml`;
const names = [...new Set(alerts.map(({ alert = '' }) => alert))];
const runbooks = readdirSync(`${root}deploy/runbooks`).filter((file) => file !== 'README.md');

if (promtool) {
  it('passes the linter of promtool', async () => {
    const { stdout } = await run(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', rulesFile]);
    expect(stdout).toContain('SUCCESS');
  }, 180_000);

  it('fires each alert on its condition, and no other alert', async () => {
    await expect(run(promtool, ['test', 'rules', testsFile])).resolves.toMatchObject({
      stdout: expect.stringContaining('SUCCESS'),
    });
  }, 180_000);
} else {
  it('skips the checks of promtool without PROMTOOL, but fails in CI', () => {
    console.info('Prometheus rules not evaluated: PROMTOOL is not set');
    expect(process.env.CI).toBeFalsy();
  });
}

describe.each(names)('%s', (name) => {
  const variants = alerts.filter(({ alert }) => alert === name);

  it('has a severity, a summary, a description and its own runbook', () => {
    for (const { labels, annotations } of variants) {
      expect(['critical', 'warning']).toContain(labels?.severity);
      expect(annotations).toEqual({
        summary: expect.stringMatching(/^.{10,}[^.]$/),
        description: expect.stringMatching(/^.{20,}\.$/),
        runbook_url: `deploy/runbooks/${name}.md`,
      });
    }
  });

  it('has a runbook that explains how to diagnose it, fix it and check that it is resolved', () => {
    const file = `${root}deploy/runbooks/${name}.md`;
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n')[0]).toBe(`# ${name}`);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Meaning',
      'Diagnose',
      'Fix',
      'Resolved when',
    ]);
  });

  it('has a unit test in which it fires', () => {
    const { tests } = load(readFileSync(testsFile, 'utf8')) as {
      tests: { promql_expr_test?: { exp_samples: { labels: string }[] }[] }[];
    };
    const fired = tests.flatMap(({ promql_expr_test }) =>
      (promql_expr_test ?? []).flatMap(({ exp_samples }) => exp_samples.map(({ labels }) => labels)),
    );
    for (const { labels } of variants) {
      const isFired = fired.some(
        (each) => each.includes(`alertname="${name}"`) && each.includes(`severity="${labels?.severity}"`),
      );
      expect(isFired).toBe(true);
    }
  });
});

it('has no runbook without an alert, and lists all of them', () => {
  expect(runbooks.toSorted()).toEqual(names.map((name) => `${name}.md`).toSorted());
  const list = readFileSync(`${root}deploy/runbooks/README.md`, 'utf8');
  for (const name of names) expect(list).toContain(`[${name}](${name}.md)`);
});
