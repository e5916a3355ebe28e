// Objects that the chart makes for the Prometheus operator and for the Gateway API.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { chartFolder, full, type Manifest, minimal, objects, render, services, toolsFromEnv } from './chart.js';

const tools = toolsFromEnv(process.env);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

if (tools) {
  describe('the chart', () => monitoringTests(tools.helm));
} else {
  it('skips the monitors and routes of the chart without HELM, but fails in CI', () => {
    console.info('Monitors and routes of the chart not checked: HELM and KUBECONFORM are not set');
    expect(process.env.CI).toBeFalsy();
  });
}

function monitoringTests(helm: string): void {
  let least: Manifest[];
  let most: Manifest[];
  const serviceMonitor = ['monitoring.podMonitor.enabled=false', 'monitoring.serviceMonitor.enabled=true'];

  beforeAll(async () => {
    [least, most] = (await Promise.all([render(helm, minimal), render(helm, full)])).map(
      ({ manifests }) => manifests,
    ) as [Manifest[], Manifest[]];
  });

  it('makes no object of an operator that the cluster may not have, unless it is asked to', () => {
    const foreign = least.filter(({ apiVersion }) => /monitoring\.coreos|gateway\.networking/.test(apiVersion));
    expect(foreign).toEqual([]);
  });

  it('finds the pods of all services, and no others, at the port `metrics`', () => {
    const monitor = only(most, 'PodMonitor');
    const { matchLabels, matchExpressions } = monitor.spec.selector;
    for (const [name, { spec }] of objects(most, 'Deployment')) {
      const [container] = spec.template.spec.containers;
      expect(container.ports.map((port: Manifest) => port.name)).toContain('metrics');
      expect({ name, labels: spec.template.metadata.labels }).toEqual({
        name,
        labels: expect.objectContaining(matchLabels),
      });
    }
    const [{ key, operator, values }] = matchExpressions;
    expect([key, operator]).toEqual(['app.kubernetes.io/component', 'In']);
    expect(values.toSorted()).toEqual(services.toSorted());
    expect(monitor.spec.podMetricsEndpoints).toEqual([
      expect.objectContaining({ port: 'metrics', path: '/metrics', interval: '15s', honorLabels: true }),
    ]);
    expect(monitor.spec.podMetricsEndpoints[0].relabelings).toHaveLength(1);
    expect(monitor.spec.podMetricsEndpoints[0].metricRelabelings).toHaveLength(1);
    expect(monitor.metadata.labels.release).toBe('prometheus');
    expect(monitor.spec.namespaceSelector).toEqual({ matchNames: ['ns'] });
  });

  it('finds the Services where the operator watches no pods', async () => {
    const { manifests } = await render(helm, [...full, '--set', serviceMonitor.join(',')]);
    const { selector, endpoints } = only(manifests, 'ServiceMonitor').spec;
    for (const { metadata, spec } of objects(manifests, 'Service').values()) {
      expect(spec.ports.map(({ name }: Manifest) => name)).toContain('metrics');
      expect(metadata.labels).toMatchObject(selector.matchLabels);
      expect(selector.matchExpressions[0].values).toContain(metadata.labels['app.kubernetes.io/component']);
    }
    expect(endpoints).toEqual([expect.objectContaining({ port: 'metrics', honorLabels: true })]);
    expect(manifests.filter(({ kind }) => kind === 'PodMonitor')).toEqual([]);
  });

  it('refuses to scrape everything twice', async () => {
    const refused = render(helm, [...full, '--set', 'monitoring.serviceMonitor.enabled=true']);
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('not both') });
  });

  it('carries the rules of the file unchanged, but for labels and the address of the runbooks', () => {
    const file = load(readFileSync(`${chartFolder}/files/prometheus-rules.yaml`, 'utf8')) as Manifest;
    const wanted = file.groups.map(({ name, rules }: Manifest) => ({ name, rules: rules.map(withSettings) }));
    expect(only(most, 'PrometheusRule').spec.groups).toEqual(wanted);
  });

  it('leaves paths as runbooks when no address is given', async () => {
    const { manifests } = await render(helm, [...full, '--set', 'monitoring.prometheusRule.runbookBaseUrl=']);
    const rules = only(manifests, 'PrometheusRule').spec.groups.flatMap(({ rules }: Manifest) => rules);
    const alert = rules.find((rule: Manifest) => rule.alert === 'TollgateOutboxLag');
    expect(alert.annotations.runbook_url).toBe('deploy/runbooks/TollgateOutboxLag.md');
  });

  it('routes a Gateway to the edge without a limit on the time of a stream', () => {
    const { spec } = only(most, 'HTTPRoute');
    const service = objects(most, 'Service').get('release-tollgate-edge-gateway');
    expect(spec.parentRefs).toEqual([{ name: 'public', namespace: 'gateways', sectionName: 'https' }]);
    expect(spec.hostnames).toEqual(['gateway.example.com']);
    expect(spec.rules).toEqual([
      {
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        filters: [expect.objectContaining({ type: 'ResponseHeaderModifier' })],
        timeouts: { request: '0s', backendRequest: '0s' },
        backendRefs: [{ name: service?.metadata.name, port: service?.spec.ports[0].port }],
      },
    ]);
  });

  it('trusts the Gateway to name the address of the client', async () => {
    const route = ['--set', 'httpRoute.enabled=true,httpRoute.parentRefs[0].name=public'];
    const { manifests } = await render(helm, [...minimal, ...route]);
    expect(objects(manifests, 'ConfigMap').get('release-tollgate-edge-gateway')?.data.TRUST_PROXY_HOPS).toBe('1');
    const refused = render(helm, [...minimal, '--set', 'httpRoute.enabled=true']);
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('parentRefs is required') });
  });
}

function only(manifests: readonly Manifest[], kind: string): Manifest {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind);
  expect(others).toEqual([]);
  return found as Manifest;
}

/** Returns a rule with the changes of the full values. */
function withSettings(rule: Manifest): Manifest {
  if (rule.alert === undefined) return rule;
  const page = `https://git.example.com/tollgate/blob/v${version}/${rule.annotations.runbook_url}`;
  return {
    ...rule,
    labels: { team: 'gateway', ...rule.labels },
    annotations: { ...rule.annotations, runbook_url: page },
  };
}
