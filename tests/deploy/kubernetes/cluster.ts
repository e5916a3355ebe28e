// A Kubernetes cluster that KUBECONFIG names, reached by kubectl and Helm, with PostgreSQL, Redis and Kafka in the namespace
// of the release. The images ci.local/tollgate-SERVICE:ci, postgres, redis and kafka are on the node.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chartFolder, root, services } from '../chart.js';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const INSTALL_TIMEOUT = '6m';

export type Service = string;

export interface Cluster {
  /** Runs kubectl in the namespace of the releases; returns its standard output. */
  kubectl(...args: string[]): Promise<string>;
  /** Posts an object to a path of the Kubernetes API. @throws with the API's message when it is refused */
  create(path: string, object: object): Promise<void>;
  /** Runs Helm in the same namespace. */
  helm(...args: string[]): Promise<string>;
  /** Installs or upgrades a release with two replicas of every service and waits until all are ready. */
  install(release: string, settings?: ReleaseSettings): Promise<void>;
  /** Makes the edge of a release reachable at a port of the node, through kube-proxy as by a load balancer. */
  expose(release: string, nodePort: number): Promise<void>;
  /** Names of the running pods of a service, oldest first. */
  pods(release: string, service: Service): Promise<string[]>;
  /** Restarts the pods of a Deployment one after another and waits for the end of the roll-out. */
  restart(release: string, service: Service): Promise<void>;
  /** Waits until every replica of a service is ready again. */
  settled(release: string, service: Service): Promise<void>;
  /** Deletes the values of the releases, which hold secrets, from this machine. */
  removeFiles(): void;
}

export interface ReleaseSettings {
  replicas?: number;
  /** Suffix of the databases, so that two releases do not share any. */
  databases?: string;
  env?: Record<string, string>;
}

/** Creates the namespace with the strictest pod security, the infrastructure in it, and waits until that is ready. */
export async function prepareCluster(kubectlPath: string, namespace: string): Promise<Cluster> {
  const call = async (file: string, args: readonly string[]) => {
    const { stdout } = await run(file, ['--namespace', namespace, ...args], { maxBuffer: OUTPUT_BYTES_MAX });
    return stdout;
  };
  const kubectl = (...args: string[]) => call(kubectlPath, args);
  const helm = (...args: string[]) => call(process.env.HELM ?? 'helm', args);
  const create = async (path: string, object: object): Promise<void> => {
    const creating = run(kubectlPath, ['create', '--raw', path, '--filename', '-']);
    creating.child.stdin?.end(JSON.stringify(object));
    await creating;
  };
  const { stdout: printed } = await run(process.execPath, [`${root}deploy/make-env.mjs`]);
  const secrets = environmentFrom(printed);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-kubernetes-'));

  await run(kubectlPath, ['create', 'namespace', namespace]);
  await kubectl('create', 'configmap', 'topics', `--from-file=${root}deploy/kafka`);
  const databases = join(folder, 'databases.sql');
  writeFileSync(
    databases,
    ['', '_second'].flatMap((suffix) => services.map((name) => createDatabase(name, suffix))).join('\n'),
  );
  await kubectl('create', 'configmap', 'databases', `--from-file=${databases}`);
  await kubectl('apply', '--filename', fileURLToPath(new URL('infrastructure.yaml', import.meta.url)));
  await kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=180s');
  await kubectl('wait', '--for=condition=Complete', 'job/topics', '--timeout=180s');
  // Set only now: the test's infrastructure does not meet the strictest level; the chart must.
  const restricted = 'pod-security.kubernetes.io/enforce=restricted';
  await run(kubectlPath, ['label', 'namespace', namespace, restricted]);

  const deployment = (release: string, service: Service) => `deployment/${fullName(release)}-${service}`;
  return {
    kubectl,
    create,
    helm,
    removeFiles: () => rmSync(folder, { recursive: true, force: true }),
    async install(release, settings = {}) {
      const values = join(folder, `${release}.json`);
      writeFileSync(values, JSON.stringify(releaseValues(secrets, namespace, settings)));
      const wait = ['--wait', '--timeout', INSTALL_TIMEOUT];
      await helm('upgrade', '--install', release, chartFolder, '--values', values, ...wait);
    },
    async expose(release, nodePort) {
      const selector = { 'app.kubernetes.io/instance': release, 'app.kubernetes.io/component': 'edge-gateway' };
      const spec = { type: 'NodePort', selector, ports: [{ port: 8080, targetPort: 'http', nodePort }] };
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: `${release}-node-port`, namespace },
        spec,
      };
      await create(`/api/v1/namespaces/${namespace}/services`, service);
    },
    async pods(release, service) {
      const labels = `app.kubernetes.io/instance=${release},app.kubernetes.io/component=${service}`;
      const sort = ['--sort-by=.metadata.creationTimestamp', '--field-selector=status.phase=Running'];
      const names = await kubectl(
        'get',
        'pods',
        '--selector',
        labels,
        ...sort,
        '--output=jsonpath={.items[*].metadata.name}',
      );
      return names.split(' ').filter((name) => name !== '');
    },
    async restart(release, service) {
      await kubectl('rollout', 'restart', deployment(release, service));
      await kubectl('rollout', 'status', deployment(release, service), '--timeout=180s');
    },
    async settled(release, service) {
      await kubectl('rollout', 'status', deployment(release, service), '--timeout=180s');
    },
  };
}

/** The chart's `tollgate.fullname`, for short names. */
function fullName(release: string): string {
  return release.includes('tollgate') ? release : `${release}-tollgate`;
}

function createDatabase(service: Service, suffix: string): string {
  const name = databaseName(service, suffix);
  return `CREATE ROLE ${name} LOGIN PASSWORD 'ci'; CREATE DATABASE ${name} OWNER ${name};`;
}

function databaseName(service: Service, suffix: string): string {
  return service.replace('-', '_') + suffix;
}

function environmentFrom(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), unquote(line.slice(line.indexOf('=') + 1))]),
  );
}

function unquote(value: string): string {
  return value.replace(/^'(.*)'$/s, '$1');
}

function releaseValues(secrets: Record<string, string>, namespace: string, settings: ReleaseSettings): object {
  const own: Record<Service, string[]> = {
    'edge-gateway': ['KEY_PEPPER', 'JWT_PRIVATE_KEYS'],
    'hooks-webhooks': ['SECRETS_ENCRYPTION_KEY'],
  };
  const redis = new Set(['edge-gateway', 'gateway-inference']);
  const service = (name: Service) => {
    const database = databaseName(name, settings.databases ?? '');
    const generated = (own[name] ?? []).map((key) => [key, secrets[key]]);
    return {
      replicas: settings.replicas ?? 2,
      autoscaling: { enabled: false }, // there is no metrics server
      resources: { requests: { cpu: '10m', memory: '128Mi' }, limits: { memory: '512Mi' } },
      secrets: {
        DATABASE_URL: `postgres://${database}:ci@postgres.${namespace}.svc.cluster.local:5432/${database}`,
        ...(redis.has(name) && { REDIS_URL: `redis://redis.${namespace}.svc.cluster.local:6379` }),
        ...Object.fromEntries(generated),
      },
    };
  };
  return {
    image: { registry: 'ci.local', tag: 'ci', pullPolicy: 'Never' },
    config: { kafkaBrokers: `kafka.${namespace}.svc.cluster.local:9092`, publicBaseUrl: 'http://gateway.example.com' },
    env: { SANDBOX_PROVIDER: '1', LOG_LEVEL: 'warn', ...settings.env },
    services: Object.fromEntries(services.map((name) => [name, service(name)])),
  };
}
