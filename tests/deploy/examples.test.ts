// The manifests for the operators of Kafka and PostgreSQL match what the services need. No package has their schemas.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { chartFolder, type Manifest, root } from './chart.js';

const readManifests = (file: string) => loadAll(readFileSync(`${chartFolder}/examples/${file}`, 'utf8')) as Manifest[];

describe('the example for Strimzi', () => {
  const manifests = readManifests('strimzi.yaml');
  const topics = manifests.filter(({ kind }) => kind === 'KafkaTopic');
  const user = manifests.find(({ kind }) => kind === 'KafkaUser');

  it('creates the topics that the script creates, with their partitions and dead-letter twins', () => {
    const rows = readFileSync(`${root}deploy/kafka/topics.txt`, 'utf8').split('\n');
    const wanted = rows
      .filter((row) => row !== '' && !row.startsWith('#'))
      .flatMap((row) => {
        const [name, partitions] = row.split(/\s+/);
        return [
          { name, partitions: Number(partitions) },
          { name: `${name}.dlq`, partitions: 1 },
        ];
      });
    expect(topics.map(({ metadata, spec }) => ({ name: metadata.name, partitions: spec.partitions }))).toEqual(wanted);
  });

  it('gives them the settings that the script gives them', () => {
    const script = readFileSync(`${root}deploy/kafka/create-topics.sh`, 'utf8');
    const days = Number(/RETENTION_DAYS:-(\d+)/.exec(script)?.[1]);
    for (const { spec, metadata, apiVersion } of topics) {
      expect(apiVersion).toBe('kafka.strimzi.io/v1');
      expect(metadata.labels).toEqual({ 'strimzi.io/cluster': 'kafka' });
      expect(Object.keys(spec)).toEqual(['partitions', 'replicas', 'config']);
      expect(spec.replicas).toBe(Number(/REPLICATION_FACTOR:-(\d+)/.exec(script)?.[1]));
      expect(spec.config).toEqual({
        'min.insync.replicas': Number(/MIN_INSYNC_REPLICAS:-(\d+)/.exec(script)?.[1]),
        'message.timestamp.type': 'LogAppendTime',
        'retention.ms': days * 86_400_000,
        'cleanup.policy': 'delete',
      });
    }
  });

  it('lets the user write and read the topics, in the groups of all consumers, and nothing else', () => {
    const acls: Manifest[] = user?.spec.authorization.acls;
    expect(user?.spec.authentication).toEqual({ type: 'scram-sha-512' });
    expect(acls.filter(({ resource }) => resource.type === 'topic')).toEqual([
      {
        resource: { type: 'topic', name: 'tollgate.', patternType: 'prefix' },
        operations: ['Describe', 'DescribeConfigs', 'Read', 'Write'],
      },
    ]);
    const groups = acls.flatMap(({ resource }) => (resource.type === 'group' ? [resource.name] : []));
    expect(groups.toSorted()).toEqual(consumerGroups());
    expect(acls).toHaveLength(groups.length + 1);
  });
});

it('asks CloudNativePG for one database, whose address the operator writes into the named secret', () => {
  const [cluster, ...others] = readManifests('cloudnative-pg.yaml');
  expect(others).toEqual([]);
  expect(cluster).toMatchObject({ apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster' });
  expect(cluster?.spec.bootstrap.initdb).toEqual({ database: 'tollgate', owner: 'tollgate' });
  expect(cluster?.spec.instances).toBeGreaterThanOrEqual(3);
  const readme = readFileSync(`${chartFolder}/README.md`, 'utf8');
  expect(readme).toContain(`secretName: ${cluster?.metadata.name}-app, key: uri`);
});

/** The groups that the services subscribe with. */
function consumerGroups(): string[] {
  const groups = readdirSync(`${root}services`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\/src\/consumers\/[a-z-]+\.ts$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => [...readFileSync(`${root}services/${file}`, 'utf8').matchAll(/group: '([a-z-]+)'/g)])
    .map(([, group]) => group ?? '');
  return [...new Set(groups)].sort();
}
