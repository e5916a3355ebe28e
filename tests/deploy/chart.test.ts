import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  conform,
  full,
  hooks,
  lint,
  type Manifest,
  minimal,
  objects,
  render,
  services,
  toolsFromEnv,
} from './chart.js';

const tools = toolsFromEnv(process.env);

/** Which service may call which; deliberately repeated here. */
const calls: Record<string, string[]> = {
  'edge-gateway': services.filter((service) => service !== 'edge-gateway'),
  'gateway-inference': ['billing-ledger', 'hooks-webhooks', 'agent-registry', 'messaging'],
  'workflow-engine': ['billing-ledger', 'gateway-inference', 'agent-registry', 'messaging'],
  'billing-ledger': [],
  'agent-registry': [],
  'hooks-webhooks': [],
  messaging: [],
};
const developmentSwitches = ['DEV_MODE', 'SANDBOX_PROVIDER', 'ALLOW_PRIVATE_ENDPOINTS'];

if (tools) {
  describe('the chart', () => chartTests(tools.helm, tools.kubeconform));
} else {
  it('skips the chart checks without HELM and KUBECONFORM, but fails in CI', () => {
    console.info('Helm chart not checked: HELM and KUBECONFORM are not set');
    expect(process.env.CI).toBeFalsy();
  });
}

function chartTests(helm: string, kubeconform: string): void {
  let least: { text: string; manifests: Manifest[] };
  let most: { text: string; manifests: Manifest[] };

  beforeAll(async () => {
    [least, most] = await Promise.all([render(helm, minimal), render(helm, full)]);
  });

  it.each([
    ['the defaults', []],
    ['the least values', minimal],
    ['everything switched on', full],
  ])('passes the linter with %s', async (_, values) => {
    await lint(helm, values);
  });

  it.each(['least', 'most'] as const)('renders only what the Kubernetes API knows (%s values)', async (which) => {
    const { text, manifests } = which === 'least' ? least : most;
    const summary = await conform(kubeconform, text, process.env.KUBECONFORM_SCHEMAS);
    expect(summary).toContain(`Valid: ${manifests.length}, Invalid: 0, Errors: 0, Skipped: 0`);
  });

  describe.each(services)('%s', (service) => {
    const name = `release-tollgate-${service}`;
    const pod = () => objects(least.manifests, 'Deployment').get(name)?.spec.template.spec;
    const container = () => pod().containers[0];

    it('runs without privileges on a read-only file system', () => {
      expect(pod().securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(container().securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod().automountServiceAccountToken).toBe(false);
    });

    it('uses in each probe the protocol that the service speaks', () => {
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const path = probe === 'readinessProbe' ? '/readyz' : '/healthz';
        const grpc = { port: 50051, ...(probe === 'readinessProbe' && { service: 'readiness' }) };
        const expected = service === 'edge-gateway' ? { httpGet: { path, port: 'http' } } : { grpc };
        expect(container()[probe]).toMatchObject(expected);
        if (probe !== 'readinessProbe') expect(container()[probe].grpc?.service).toBeUndefined();
      }
    });

    it('serves metrics on a port of their own', () => {
      expect(container().ports).toContainEqual({ name: 'metrics', containerPort: 9464 });
      const port = { name: 'metrics', port: 9464, targetPort: 'metrics', appProtocol: 'http' };
      expect(objects(least.manifests, 'Service').get(name)?.spec.ports).toContainEqual(port);
      expect(objects(least.manifests, 'ConfigMap').get(name)?.data.HEALTH_PORT).toBe('9464');
    });

    it('has room to drain before it is killed', () => {
      const pause = Number(container().lifecycle.preStop.exec.command[1]);
      const drain = 25; // the limit of runService
      expect(pod().terminationGracePeriodSeconds).toBeGreaterThan(pause + drain);
    });

    it('asks for resources and has a memory limit', () => {
      expect(container().resources.requests).toEqual({ cpu: expect.any(String), memory: expect.any(String) });
      expect(container().resources.limits.memory).toEqual(expect.any(String));
    });

    it('spreads and scales the service, and protects it from disruption', () => {
      expect(pod().topologySpreadConstraints).toHaveLength(2);
      const labels = objects(least.manifests, 'Deployment').get(name)?.spec.selector.matchLabels;
      expect(objects(least.manifests, 'PodDisruptionBudget').get(name)?.spec.selector.matchLabels).toEqual(labels);
      const scaler = objects(least.manifests, 'HorizontalPodAutoscaler').get(name);
      expect(scaler?.spec.scaleTargetRef.name).toBe(name);
      expect(scaler?.spec.minReplicas).toBeGreaterThanOrEqual(2);
    });

    it('accepts connections from its callers only', () => {
      const policy = objects(least.manifests, 'NetworkPolicy').get(name);
      expect(policy?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
      const [rule, scrapes, ...others] = policy?.spec.ingress ?? [];
      expect(others).toEqual([]);
      expect(scrapes).toEqual({
        ports: [{ protocol: 'TCP', port: 9464 }],
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      });
      if (service === 'edge-gateway') return expect(rule.from).toBeUndefined();
      const callers = services.filter((caller) => calls[caller]?.includes(service));
      expect(rule.from.map(readComponent).toSorted()).toEqual(callers.toSorted());
    });

    it('calls its peers at addresses that exist, and no others', () => {
      const policy = objects(least.manifests, 'NetworkPolicy').get(name);
      const peers = policy?.spec.egress.flatMap((rule: Manifest) => (rule.to ?? []).map(readComponent).filter(Boolean));
      expect(peers.toSorted()).toEqual(calls[service]?.toSorted());
      const config = objects(least.manifests, 'ConfigMap').get(name)?.data ?? {};
      const addresses = Object.entries<string>(config).filter(([key]) => key.endsWith('_ADDR'));
      expect(addresses.map(([key]) => key).toSorted()).toEqual(calls[service]?.map(addressVariable).toSorted());
      for (const [, address] of addresses) {
        const peer = objects(least.manifests, 'Service').get(address.split('.')[0] ?? '');
        expect(peer?.spec).toMatchObject({ clusterIP: 'None' });
        expect(peer?.spec.ports[0].port).toBe(Number(address.split(':')[1]));
      }
    });

    it('migrates its database, when it has one, in a hook with its own settings, before it is rolled out', () => {
      const hasDatabase = objects(least.manifests, 'Secret').get(name)?.data?.DATABASE_URL !== undefined;
      const job = hooks(least.manifests, 'Job').find((manifest) => manifest.metadata.name === `${name}-migrate`);
      expect(job !== undefined).toBe(hasDatabase);
      if (!hasDatabase) return;
      expect(job?.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      const [migrate] = job?.spec.template.spec.containers ?? [];
      expect(migrate.image).toBe(container().image);
      expect(migrate.command).toEqual(['node', 'dist/main.js', 'migrate']);
      for (const kind of ['ConfigMap', 'Secret']) {
        const copy = hooks(least.manifests, kind).find((manifest) => manifest.metadata.name === `${name}-migrate`);
        expect(Number(copy?.metadata.annotations['helm.sh/hook-weight'])).toBeLessThan(0);
        expect(copy?.data).toEqual(objects(least.manifests, kind).get(name)?.data);
      }
    });

    it('gets its own secret only', () => {
      const [config, secret, ...others] = container().envFrom;
      expect(config.configMapRef.name).toBe(name);
      expect(secret.secretRef.name).toBe(name);
      expect(others).toEqual([]);
    });
  });

  it('lets only services with external calls reach the internet, and never a private or metadata address', () => {
    const reaching = [...objects(least.manifests, 'NetworkPolicy').values()].filter((policy) =>
      JSON.stringify(policy.spec.egress).includes('ipBlock'),
    );
    const names = reaching.map((policy) => policy.metadata.labels['app.kubernetes.io/component']);
    expect(names.toSorted()).toEqual(['billing-ledger', 'gateway-inference', 'hooks-webhooks', 'workflow-engine']);
    for (const policy of reaching) {
      const rule = policy.spec.egress.find((egress: Manifest) => egress.to?.some((peer: Manifest) => peer.ipBlock));
      expect(rule.ports.length).toBeGreaterThan(0);
      const v4 = rule.to.find((peer: Manifest) => peer.ipBlock.cidr === '0.0.0.0/0').ipBlock;
      expect(v4.except).toEqual(
        expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8']),
      );
    }
  });

  it('keeps every name within 63 characters and apart from those of a release with a similar long name', async () => {
    const long = 'a-release-whose-name-has-fifty-three-characters-in-al';
    const names = async (release: string) => {
      const { manifests } = await render(helm, full, release);
      return manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    };
    const [one, other] = await Promise.all([names(`${long}-1`.slice(-53)), names(`${long}-2`.slice(-53))]);
    expect(one.filter((name) => name.split(' ')[1]!.length > 63)).toEqual([]);
    expect(one.filter((name) => other.includes(name))).toEqual([]);
  });

  it('sets no development switch and refuses DEV_MODE', async () => {
    for (const { text } of [least, most]) for (const name of developmentSwitches) expect(text).not.toContain(name);
    const refused = render(helm, [...minimal, '--set-string', 'services.edge-gateway.env.DEV_MODE=1']);
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('DEV_MODE') });
  });

  it.each([
    ['config.kafkaBrokers=', 'config.kafkaBrokers is required'],
    ['config.publicBaseUrl=', 'config.publicBaseUrl is required'],
    ['rpcTls.enabled=true', 'rpcTls.secretName is required'],
    ['ingress.enabled=true', 'ingress.host is required'],
    ['services.messaging.replica=3', 'replica'],
  ])('names what is wrong with %s', async (setting, message) => {
    const refused = render(helm, [...minimal, '--set', setting]);
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
  });

  it('names a secret that a service cannot start without', async () => {
    const config = ['--set', 'config.kafkaBrokers=kafka:9092,config.publicBaseUrl=https://gateway.example.com'];
    const message = /services\.[a-z-]+\.secrets\.DATABASE_URL is required/;
    await expect(render(helm, config)).rejects.toMatchObject({ stderr: expect.stringMatching(message) });
  });

  it('writes no secret of its own when all of them exist already', () => {
    expect(most.manifests.filter((manifest) => manifest.kind === 'Secret')).toEqual([]);
    const edge = objects(most.manifests, 'Deployment').get('release-tollgate-edge-gateway')?.spec.template.spec;
    expect(edge.containers[0].envFrom[1].secretRef.name).toBe('edge-secrets');
  });

  it('gives every container the TLS certificate and probes with a client that speaks TLS', () => {
    for (const [name, deployment] of objects(most.manifests, 'Deployment')) {
      const [container] = deployment.spec.template.spec.containers;
      expect(container.volumeMounts).toContainEqual({
        name: 'rpc-tls',
        mountPath: '/etc/tollgate/tls',
        readOnly: true,
      });
      expect(objects(most.manifests, 'ConfigMap').get(name)?.data.RPC_TLS_CA_FILE).toBe('/etc/tollgate/tls/ca.crt');
      if (name.endsWith('edge-gateway')) continue;
      expect(container.readinessProbe.exec.command).toEqual(['node', '/app/healthcheck.mjs', 'readiness']);
      expect(container.livenessProbe.exec.command).toEqual(['node', '/app/healthcheck.mjs']);
    }
  });

  describe('what a platform team adds', () => {
    const deployment = (service: string) => objects(most.manifests, 'Deployment').get(`release-tollgate-${service}`);
    const ledger = () => deployment('billing-ledger')?.spec.template.spec;
    const migration = () =>
      hooks(most.manifests, 'Job').find(({ metadata }) => metadata.name.endsWith('billing-ledger-migrate'))?.spec
        .template.spec;

    it('pins an image by its digest and pulls with all secrets', () => {
      const image = /^registry\.example\.com\/team\/tollgate-billing-ledger@sha256:[0-9a-f]{64}$/;
      expect(ledger().containers[0].image).toMatch(image);
      expect(migration().containers[0].image).toMatch(image);
      expect(ledger().imagePullSecrets).toEqual([{ name: 'registry' }, { name: 'mirror' }]);
    });

    it("reads single variables from an operator's secret, including for migrations", () => {
      const valueFrom = { secretKeyRef: { name: 'ledger-db-app', key: 'uri' } };
      for (const pod of [ledger(), migration()]) {
        expect(pod.containers[0].env).toContainEqual({ name: 'DATABASE_URL', valueFrom });
        expect(pod.containers[0].env).toContainEqual({ name: 'PGSSLROOTCERT', value: '/etc/postgres/ca.crt' });
        expect(pod.containers[0].envFrom).toContainEqual({ configMapRef: { name: 'team-settings' } });
        expect(pod.containers[0].volumeMounts).toContainEqual(expect.objectContaining({ name: 'postgres-ca' }));
        expect(pod.volumes).toContainEqual({ name: 'postgres-ca', configMap: { name: 'postgres-ca' } });
        expect(pod.initContainers.map(({ name }: Manifest) => name)).toEqual(['database-proxy']);
      }
    });

    it('adds sidecars, labels and annotations', () => {
      expect(ledger().containers.map(({ name }: Manifest) => name)).toEqual(['billing-ledger', 'log-shipper']);
      const { labels, annotations } = deployment('billing-ledger')?.spec.template.metadata ?? {};
      expect(labels).toMatchObject({ 'example.com/mesh': 'enabled', 'example.com/cost-center': 'platform' });
      expect(annotations).toMatchObject({ 'example.com/team': 'gateway', 'example.com/owner': 'gateway-team' });
      const service = objects(most.manifests, 'Service').get('release-tollgate-billing-ledger');
      expect(service?.metadata.annotations).toEqual({
        'example.com/owner': 'gateway-team',
        'example.com/scrape': 'true',
      });
      for (const { metadata } of most.manifests) expect(metadata.labels['example.com/cost-center']).toBe('platform');
    });

    it("merges a service's placement and roll-out with the chart's", () => {
      expect(ledger().nodeSelector).toEqual({ 'kubernetes.io/os': 'linux', 'example.com/disk': 'fast' });
      expect(deployment('messaging')?.spec.template.spec.nodeSelector).toEqual({ 'kubernetes.io/os': 'linux' });
      const rolling = deployment('billing-ledger')?.spec.strategy.rollingUpdate;
      expect(rolling).toEqual({ maxSurge: '50%', maxUnavailable: 0 });
    });

    it('scales by further metrics and with a behavior', () => {
      const scaler = objects(most.manifests, 'HorizontalPodAutoscaler').get('release-tollgate-billing-ledger');
      expect(scaler?.spec.metrics.map(({ type }: Manifest) => type)).toEqual(['Resource', 'Pods']);
      expect(scaler?.spec.behavior.scaleDown.stabilizationWindowSeconds).toBe(600);
    });

    it('starts a first install with the least number of replicas of its autoscaler', () => {
      expect(deployment('billing-ledger')?.spec.replicas).toBe(2);
      expect(deployment('workflow-engine')?.spec.replicas).toBe(3);
    });
  });

  it("lets a service's own env win over the chart's", () => {
    const config = objects(most.manifests, 'ConfigMap').get('release-tollgate-edge-gateway')?.data;
    expect(config.LOG_LEVEL).toBe('warn');
  });

  it('lets only the named pods scrape the metrics', async () => {
    const prometheus = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } } };
    const [, scrapes] = objects(most.manifests, 'NetworkPolicy').get('release-tollgate-messaging')?.spec.ingress ?? [];
    expect(scrapes.from).toEqual([prometheus]);
    const { manifests } = await render(helm, [...minimal, '--set-json', 'networkPolicy.metricsFrom=[]']);
    expect(objects(manifests, 'NetworkPolicy').get('release-tollgate-messaging')?.spec.ingress).toHaveLength(1);
  });

  it('routes the ingress to the edge', () => {
    const ingress = objects(most.manifests, 'Ingress').get('release-tollgate-edge-gateway');
    const path = ingress?.spec.rules[0].http.paths[0];
    expect(path.backend.service).toEqual({ name: 'release-tollgate-edge-gateway', port: { name: 'http' } });
  });
}

function readComponent(peer: Manifest): string | undefined {
  return peer.podSelector?.matchLabels['app.kubernetes.io/component'];
}

function addressVariable(service: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_ADDR`;
}
