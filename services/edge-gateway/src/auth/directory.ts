import type { Role } from '@tollgate/api/identity';
import type { Queryable } from '@tollgate/postgres';
import { type Clock, ReadCache } from '@tollgate/runtime';
import type { KeyInfo, OwnerInfo, PortalSettings, ProjectInfo } from '../domain/identity.js';
import { readMemberRole } from '../store/members/members.js';
import { readPortalSettings, readProjectInfo } from '../store/projects.js';
import { readOwnerInfo } from '../store/users.js';

/** Cached reads of projects and keys; serves nothing older than five seconds. */
export class IdentityDirectory {
  readonly #db: Queryable;
  readonly #keys: ReadCache<KeyInfo>;
  readonly #projects: ReadCache<ProjectInfo>;
  readonly #owners: ReadCache<OwnerInfo>;
  readonly #portals: ReadCache<PortalSettings>;
  readonly #members: ReadCache<{ role: Role }>;

  constructor(db: Queryable, clock: Clock) {
    const age = { freshMs: 3_000, staleMs: 5_000, clock };
    this.#db = db;
    this.#keys = new ReadCache({ sizeMax: 20_000, ...age });
    this.#projects = new ReadCache({ sizeMax: 10_000, ...age });
    this.#portals = new ReadCache({ sizeMax: 10_000, ...age });
    this.#members = new ReadCache({ sizeMax: 10_000, ...age });
    this.#owners = new ReadCache({ sizeMax: 10_000, ...age });
  }

  /** Finds a key by its hash under the current pepper; `load` finds it in the database. */
  key(hash: Buffer, load: () => Promise<KeyInfo | undefined>): KeyInfo | Promise<KeyInfo | undefined> {
    return this.#keys.get(hash.toString('latin1'), load);
  }

  /** Returns undefined when the project is unknown or deleted. */
  project(projectId: string): ProjectInfo | Promise<ProjectInfo | undefined> {
    return this.#projects.get(projectId, () => readProjectInfo(this.#db, projectId));
  }

  /** Returns undefined when the project is unknown or deleted. */
  portal(projectId: string): PortalSettings | Promise<PortalSettings | undefined> {
    return this.#portals.get(projectId, () => readPortalSettings(this.#db, projectId));
  }

  owner(userId: string): OwnerInfo | Promise<OwnerInfo | undefined> {
    return this.#owners.get(userId, () => readOwnerInfo(this.#db, userId));
  }

  /** Returns the user's role in a project of another account; undefined without a membership. */
  member(projectId: string, userId: string): { role: Role } | Promise<{ role: Role } | undefined> {
    return this.#members.get(`${projectId} ${userId}`, () => readMemberRole(this.#db, projectId, userId));
  }

  forgetMember(projectId: string, userId: string): void {
    this.#members.delete(`${projectId} ${userId}`);
  }

  /** Drops a project that this edge changed, so that its next read sees the change. */
  forgetProject(projectId: string): void {
    this.#projects.delete(projectId);
    this.#portals.delete(projectId);
  }

  forgetOwner(userId: string): void {
    this.#owners.delete(userId);
  }
}
