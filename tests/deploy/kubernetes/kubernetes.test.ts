// The chart on a real cluster of one node: installed, used, rolled, broken, upgraded, rolled back.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, apiClient, responsesBody, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must } from '../../system/start-system.js';
import { services } from '../chart.js';
import { type Cluster, prepareCluster } from './cluster.js';
import { startSteadyLoad } from './steady-load.js';

const NAMESPACE = 'gateway';
const RELEASE = 'tollgate';
/** 53 characters, Helm's limit. */
const LONG_RELEASE = 'the-longest-name-of-a-release-that-helm-accepts-today';
const OWNER = { email: 'owner@example.com', password: 'correct horse battery staple 1' };
const NODE_PORT = 30080;
const START_MS = 600_000;
const STEP_MS = 240_000;
const REQUESTS_PER_SECOND = 15;
/** The services that a model call uses. */
const CALL_PATH = ['edge-gateway', 'gateway-inference', 'billing-ledger'];

describeWith('KUBECTL', 'the chart on a cluster', (kubectlPath) => {
  let cluster: Cluster;
  let api: ApiClient;
  let owner: ApiClient;
  let customer: ApiClient;
  let answered = 0;

  beforeAll(async () => {
    cluster = await prepareCluster(kubectlPath, NAMESPACE);
    await cluster.install(RELEASE);
    const nodeIp = await cluster.kubectl('get', 'nodes', '--output=jsonpath={.items[0].status.addresses[0].address}');
    await cluster.expose(RELEASE, NODE_PORT);
    api = apiClient(`http://${nodeIp}:${NODE_PORT}/api/v1`);
    // kube-proxy opens the port some time after the Service exists.
    const isOpen = async () => (await api.get('/openapi.json')).status === 200;
    await waitUntil(isOpen, { what: 'the node port', timeoutMs: 60_000 });
  }, START_MS);

  afterAll(async () => {
    await api?.close();
    cluster?.removeFiles();
  });

  async function usage(): Promise<number> {
    return must(await customer.get('/customers/me/usage'), 200).usage.requests;
  }

  /** Runs `disturb` under a constant load and returns what became of the requests; the load outlasts it by some seconds. */
  async function underLoad(disturb: () => Promise<void>) {
    const load = startSteadyLoad(customer, REQUESTS_PER_SECOND);
    await pause(3_000);
    await disturb();
    await pause(5_000);
    const report = await load.stop();
    answered += report.answered;
    return report;
  }

  it(
    'runs two ready replicas of every service under the restricted pod security',
    async () => {
      for (const service of services) expect(await cluster.pods(RELEASE, service)).toHaveLength(2);
      const namespace = await cluster.kubectl('get', 'namespace', NAMESPACE, '--output=jsonpath={.metadata.labels}');
      expect(namespace).toContain('"pod-security.kubernetes.io/enforce":"restricted"');
    },
    STEP_MS,
  );

  it(
    'serves the main job through the Service',
    async () => {
      const { access_token } = must(await api.post('/auth/register', OWNER), 201);
      owner = api.as(access_token);
      const [edge] = await cluster.pods(RELEASE, 'edge-gateway');
      const grant = ['node', 'dist/main.js', 'grant-credit', OWNER.email, '500000', 'first funds'];
      expect(await cluster.kubectl('exec', edge!, '--', ...grant)).toContain('granted 500000 cents');
      const { project_id } = must(await owner.get('/auth/me'), 200).user;
      const { api_key } = must(await owner.post('/api-keys', { label: 'ci', kind: 'secret', project_id }), 201);
      const tier = {
        tier_code: 'starter',
        display_name: 'Starter',
        spend_limit_cents: 100_000,
        rate_limit_per_minute: 100_000,
        models: [{ model_id: 'sandbox/echo-1', is_default: true }],
      };
      must(await owner.post(`/projects/${project_id}/tiers`, tier), 201);
      const project = api.as(api_key.secret_key);
      must(await project.post('/customers', { external_id: 'user-1', email: 'ada@example.com' }), 201);
      const minting = { customer_external_id: 'user-1', tier_code: 'starter' };
      customer = api.as(must(await project.post('/auth/customer-token', minting), 200).token);
      must(await customer.post('/responses', responsesBody('Hello')), 200);
      const stream = await customer.ndjson('/responses', responsesBody('Hello'));
      expect((await stream.all()).at(-1)).toMatchObject({ type: 'completion' });
      answered = 2;
      expect(await usage()).toBe(2);
    },
    STEP_MS,
  );

  it.each(services)(
    'loses no request while %s is rolled',
    async (service) => {
      const report = await underLoad(() => cluster.restart(RELEASE, service));
      console.info(`rolled ${service}: ${JSON.stringify(report)}`);
      expect(report.failures).toEqual([]);
      expect(await settledUsage()).toBe(answered);
    },
    STEP_MS,
  );

  it(
    'loses no request while an upgrade rolls all services at once',
    async () => {
      const report = await underLoad(() => cluster.install(RELEASE, { env: { LOG_LEVEL: 'error' } }));
      console.info(`upgraded: ${JSON.stringify(report)}`);
      expect(report.failures).toEqual([]);
      expect(await settledUsage()).toBe(answered);
    },
    2 * STEP_MS,
  );

  it(
    'loses no request while the upgrade is rolled back',
    async () => {
      const report = await underLoad(async () => {
        await cluster.helm('rollback', RELEASE, '1', '--wait', '--timeout', '6m');
      });
      console.info(`rolled back: ${JSON.stringify(report)}`);
      expect(report.failures).toEqual([]);
      expect(await settledUsage()).toBe(answered);
    },
    2 * STEP_MS,
  );

  it.each(services)(
    'serves on when a pod of %s is deleted by force',
    async (service) => {
      const [pod] = await cluster.pods(RELEASE, service);
      const report = await underLoad(async () => {
        await cluster.kubectl('delete', 'pod', pod!, '--force', '--grace-period=0', '--wait=false');
        await cluster.settled(RELEASE, service);
      });
      console.info(`deleted a pod of ${service} by force: ${JSON.stringify(report)}`);
      // A request that the pod was serving may fail; its client repeats it.
      expect(report.failed).toBeLessThanOrEqual(CALL_PATH.includes(service) ? 2 * REQUESTS_PER_SECOND : 0);
      await expectExactBooks(report.failed);
    },
    STEP_MS,
  );

  it(
    'evicts one pod of each service, and the second only when the first is replaced',
    async () => {
      for (const service of services) {
        const pods = await cluster.pods(RELEASE, service);
        expect(await evict(pods[0]!)).toBe('evicted');
        expect(await evict(pods[1]!)).toContain("would violate the pod's disruption budget");
      }
      for (const service of services) await cluster.settled(RELEASE, service);
    },
    STEP_MS,
  );

  it(
    'installs a second release with the longest possible name in the same namespace',
    async () => {
      await cluster.install(LONG_RELEASE, { replicas: 1, databases: '_second' });
      for (const service of services) expect(await cluster.pods(LONG_RELEASE, service)).toHaveLength(1);
      must(await customer.post('/responses', responsesBody('Hello')), 200);
      answered += 1;
      await cluster.helm('uninstall', LONG_RELEASE, '--wait');
      must(await customer.post('/responses', responsesBody('Hello')), 200);
      answered += 1;
    },
    START_MS,
  );

  it(
    'keeps balanced books to the end',
    async () => {
      const books = await waitUntil(
        async () => {
          const report = must(await owner.get('/account/ledger/verify'), 200);
          return report.open_holds === 0 && report;
        },
        { what: 'the end of all holds', timeoutMs: STEP_MS },
      );
      expect(books.differences).toEqual([]);
    },
    STEP_MS,
  );

  async function settledUsage(): Promise<number> {
    await waitUntil(async () => (await usage()) >= answered, {
      what: 'the settlements of all answers',
      timeoutMs: 60_000,
    });
    return usage();
  }

  /** Every answer is charged; requests whose answer was lost may be charged. Carries the difference over. */
  async function expectExactBooks(lost: number): Promise<void> {
    const charged = await settledUsage();
    expect(charged - answered).toBeLessThanOrEqual(lost);
    answered = charged;
  }

  async function evict(pod: string): Promise<string> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: NAMESPACE } };
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${pod}/eviction`;
    return cluster.create(path, eviction).then(
      () => 'evicted',
      (error: Error) => error.message,
    );
  }
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
