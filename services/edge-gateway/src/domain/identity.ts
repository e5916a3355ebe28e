export type BillingMode = 'managed' | 'byob';

/** What happens to parameters of a request that its provider lacks. */
export type UnsupportedParameters = 'refuse' | 'drop';

/** The settings of a project that every request needs. */
export interface ProjectInfo {
  projectId: string;
  accountId: string;
  /** The project bills its customers outside Tollgate. */
  byob: boolean;
  /** Publishable keys may claim customers. */
  publishableClaims: boolean;
  /** Exact repeats of deterministic requests are answered from the response cache. */
  responseCache: boolean;
  /** Whether answers of the responses dialect are stored by default; undefined: as the installation decides. */
  responseStorage: boolean | undefined;
  /** Parameters that a provider lacks are left out of requests instead of refused. */
  dropsUnsupportedParameters: boolean;
  /** Customers' tokens list and call agents as tools. */
  mcpForCustomers: boolean;
}

/** The settings of a project that its portal shows. */
export interface PortalSettings {
  name: string;
  color: string | null;
  /** Origins whose pages may embed the portal. */
  origins: readonly string[];
}

export interface OwnerInfo {
  userId: string;
  /** The account's oldest project, in which an owner's session acts when no project is named. */
  project: ProjectInfo;
}

export interface KeyInfo {
  keyId: string;
  kind: 'secret' | 'publishable';
  project: ProjectInfo;
  spendLimitCents: bigint | undefined;
  expiresMs: number | undefined;
}

/** A customer named by a secret key's request. */
export interface CustomerInfo {
  customerId: string;
  externalId: string;
  /** Empty without a subscription. */
  tierCode: string;
}
