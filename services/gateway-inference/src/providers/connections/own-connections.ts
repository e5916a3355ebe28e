import type { ConnectionService, OpenedConnection } from '@tollgate/contracts/billing/v1/connections_pb.js';
import type { Call, Client } from '@tollgate/rpc';
import { atMost, type CircuitLimits, type Clock, elapsed, type Logger } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';
import { Circuits } from '../circuits.js';
import { type ConnectionOptions, type OpenConnection, openConnection } from './open-connection.js';
import { toOwnConnection } from './own-connection.js';

/** How stale the connections of a project may be. */
const TTL_MS = 5_000;
/** After a read that lacked a connection, the next read for the same reason waits this long. */
const REREAD_MS = 500;
const PROJECTS_MAX = 1_000;
const READ_TIMEOUT_MS = 5_000;

/** A connection of a project, ready to be used. */
export interface OwnConnection {
  readonly name: string;
  /** The provider's name of each model, by the id in the catalog. */
  readonly models: ReadonlyMap<string, string>;
  readonly open: OpenConnection;
}

/** The connections of one project, in the order in which they are asked. */
export interface ProjectConnections {
  readonly list: readonly OwnConnection[];
  readonly circuits: Circuits;
}

interface Project {
  readonly circuits: Circuits;
  /** By id and version, so that a connection that has not changed keeps its sockets. */
  opened: ReadonlyMap<string, OwnConnection>;
  readAtMs: number;
  reading: Promise<ProjectConnections> | undefined;
}

export interface OwnConnectionOptions {
  client: Pick<Client<typeof ConnectionService>, 'openConnections'>;
  connections: ConnectionOptions;
  allowPrivate: boolean;
  circuits: CircuitLimits;
  clock: Clock;
  logger: Logger;
}

/**
 * The connections of projects, read from the ledger when a request may use them and kept for a short time. A `ReadCache` does not fit:
 * a project's circuits and open sockets outlive each read, and how old a list may be depends on the model.
 */
export class OwnConnections {
  readonly #options: OwnConnectionOptions;
  readonly #projects = new LRUCache<string, Project>(atMost(PROJECTS_MAX));

  constructor(options: OwnConnectionOptions) {
    this.#options = options;
  }

  /**
   * Returns the connections of the caller's project. Reads them again if none serves the model: the ledger has just decided that
   * one does. Concurrent callers share a read.
   *
   * @throws AppError if they cannot be read
   */
  async find(call: Call, modelId: string): Promise<ProjectConnections> {
    const { projectId } = call.requirePrincipal();
    const project = this.#project(projectId);
    const ageMs = elapsed() - project.readAtMs;
    if (project.reading) return project.reading;
    const list = [...project.opened.values()];
    const maxAgeMs = list.some(({ models }) => models.has(modelId)) ? TTL_MS : REREAD_MS;
    if (ageMs < maxAgeMs) return { list, circuits: project.circuits };
    project.reading = this.#read(project, call).finally(() => {
      project.reading = undefined;
    });
    return project.reading;
  }

  /** Closes all sockets, after all calls have ended. */
  async close(): Promise<void> {
    const opened = [...this.#projects.values()].flatMap(({ opened: all }) => [...all.values()]);
    await Promise.all(opened.map(({ open }) => open.models.close()));
  }

  #project(projectId: string): Project {
    const known = this.#projects.get(projectId);
    if (known) return known;
    const { circuits: limits, clock, logger } = this.#options;
    const circuits = new Circuits(limits, clock, logger);
    const project = { circuits, opened: new Map(), readAtMs: Number.NEGATIVE_INFINITY, reading: undefined };
    this.#projects.set(projectId, project);
    return project;
  }

  /** Calls of deleted connections continue; their sockets close when they are idle. */
  async #read(project: Project, call: Call): Promise<ProjectConnections> {
    const detached = call.detached(READ_TIMEOUT_MS);
    const { connections } = await this.#options.client.openConnections({}, detached);
    const opened = new Map<string, OwnConnection>();
    for (const stored of connections) {
      const key = `${stored.connection?.id}/${stored.connection?.version}`;
      const own = project.opened.get(key) ?? this.#open(stored);
      if (own) opened.set(key, own);
    }
    project.opened = opened;
    project.readAtMs = elapsed();
    return { list: [...opened.values()], circuits: project.circuits };
  }

  #open({ connection, secretsJson }: OpenedConnection): OwnConnection | undefined {
    const { id, name = '', entryJson = '', models = [] } = connection ?? {};
    try {
      const complete = toOwnConnection({ name, entryJson, secretsJson }, this.#options);
      const open = openConnection(complete, { ...this.#options.connections, usesMachine: false });
      return { name, open, models: new Map(models.map(({ modelId, upstreamModel }) => [modelId, upstreamModel])) };
    } catch (err) {
      this.#options.logger.warn({ err, connection_id: id }, 'connection of a project cannot be used');
      return undefined;
    }
  }
}
