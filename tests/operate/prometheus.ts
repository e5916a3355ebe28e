import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tollgate/runtime/free-port';
import { type Json, waitUntil } from '@tollgate/testkit';
import { dump } from 'js-yaml';
import { shortRules } from './short-rules.js';

export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

export interface Alert {
  state: 'pending' | 'firing';
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/** The Prometheus server of the exercise. */
export interface Prometheus {
  query(expression: string): Promise<Sample[]>;
  alerts(): Promise<Alert[]>;
  stop(): Promise<void>;
}

/** @param targets health addresses, such as `http://127.0.0.1:9464` */
export async function startPrometheus(program: string, targets: readonly string[]): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-prometheus-'));
  writeFileSync(join(folder, 'rules.yaml'), shortRules());
  const hosts = targets.map((target) => new URL(target).host);
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yaml')],
    scrape_configs: [{ job_name: 'tollgate', honor_labels: true, static_configs: [{ targets: hosts }] }],
  };
  writeFileSync(join(folder, 'prometheus.yaml'), dump(config));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=error',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const get = async (path: string, parameters: Record<string, string> = {}) => {
    const url = `http://${address}${path}?${new URLSearchParams(parameters)}`;
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const body = (await response.json()) as Json;
    if (body.status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${body.error}`);
    return body.data;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(async () => (await get('/api/v1/query', { query: 'up == 1' })).result.length === hosts.length, {
      what: 'Prometheus to see every target',
      timeoutMs: 60_000,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    query: async (query) => (await get('/api/v1/query', { query })).result,
    alerts: async () => (await get('/api/v1/alerts')).alerts,
    stop,
  };
}
