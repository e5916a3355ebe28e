import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Credential, VendorKeyHeader } from '../../auth/authenticate.js';
import type { Context } from '../../context.js';
import type { AuditAction } from '../../operations/record-audit.js';
import type { ErrorShape } from '../paths.js';
import type { BodyClass } from './body/read-body.js';

/** An answer in the OpenAPI document. JSON, unless `contentType` names another type. */
export interface Answer {
  status: number;
  schema?: z.ZodType;
  contentType?: string;
}

/** An endpoint without its handler: the source of the OpenAPI document. */
export interface RouteDoc {
  /** Name of the method in generated clients, such as `createCustomer`. Default: made from method and path. */
  operationId?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express pattern relative to /api/v1, such as `/customers/:id`; `/v1/…`, `/.well-known/…` and `/status` are at the root. */
  path: string;
  tag: string;
  summary: string;
  /** Sentences for the reference. The document adds credentials, paging, idempotency and limits, which follow from the route. */
  description?: string;
  auth: readonly Credential[] | 'none';
  /** An owner's session acts in the project of the path as its secret key would. */
  ownerActsAsKey?: boolean;
  params?: z.ZodType;
  query?: z.ZodType;
  /** For addresses to which third parties redirect browsers with parameters of their own. */
  ignoresUnknownQuery?: boolean;
  body?: z.ZodType;
  /** The body is multipart/form-data instead of JSON; `body` describes its text fields. */
  takesForm?: boolean;
  /** Files of the form by field, with a description; the first one is required. Default: one recording as `file`. */
  formFiles?: { max: number; fields: Readonly<Record<string, string>> };
  /** The handler reads the form itself, as it comes; its file may have this many bytes. */
  streamsFile?: { bytesMax: number };
  /** Bounds the size of the body. Default: `standard`, or `open` where no credential is needed. */
  bodyClass?: BodyClass;
  /** Also accepts the key in this header, which the vendor's client library sends. */
  vendorKeyHeader?: VendorKeyHeader;
  /** Status and schema of the success answer, for the OpenAPI document. */
  success: Answer;
  /** Other answers of the handler: further content types of the success, pages, redirects, refusals of another form. */
  alsoAnswers?: readonly Answer[];
  /** Statuses that the handler itself refuses with. The document derives the others from the route. */
  refusals?: readonly (400 | 401 | 402 | 403 | 404 | 409 | 410 | 422)[];
  errorShape?: ErrorShape | ((headers: IncomingHttpHeaders) => ErrorShape);
  /**
   * Keeps its answers for an Idempotency-Key for a day: same key and body → same answer, other body → 409. Set it where no
   * answer holds a secret. Other POSTs keep them sealed for ten minutes; `false` refuses the header.
   */
  idempotent?: boolean;
  /**
   * The service behind the route honors the Idempotency-Key header: it stores the key with what it creates. `or option`: the body
   * has the key as an option, which the document shows instead.
   */
  forwardsIdempotencyKey?: boolean | 'or option';
  /**
   * Returns ids of the holds that the attempt with this id may have made for this body, on idempotent routes that spend. A
   * repeat of an attempt whose outcome is unknown supersedes them. Runs need none: the engine keeps their key.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the output of the route's body schema
  holdIds?: (attemptId: string, body: any) => readonly string[];
  /** The body has parameters that not every provider has; those that were left out are named in a header. */
  hasOptionalParameters?: boolean;
  /** Undoes what the attempt with this id may have stored apart from money, on idempotent routes, before a repeat takes its place. */
  // biome-ignore lint/suspicious/noExplicitAny: what the route has read of the request
  discard?: (ctx: Pick<Context, 'clients'>, attemptId: string, call: Call, input: any) => Promise<void>;
  /** Honors the X-Service-Cache header. */
  cacheable?: boolean;
  timeoutMs?: number;
  /** Written to the account's audit log when the handler has succeeded. */
  audit?: AuditAction;
}
