import type { Call, Registration } from '@tollgate/rpc';
import type { OwnerDirectory } from '../operations/databases/owner-directory.js';

type Handler = Registration['handlers'][string];

/**
 * Calls that name no owner account: a webhook event of the processor names an object of one database, and the others
 * ignore it.
 */
const FOR_EVERY_DATABASE: ReadonlySet<string> = new Set(['receiveNotice']);

/** Returns the services of several databases as one: a call is handled by the database of its principal's owner account. */
export function routeByOwner(
  services: ReadonlyMap<string, readonly Registration[]>,
  directory: Pick<OwnerDirectory, 'find'>,
): Registration[] {
  const [first = []] = services.values();
  return first.map(({ service, handlers }, at) => ({
    service,
    handlers: Object.fromEntries(
      Object.keys(handlers).map((method) => {
        const byDatabase = new Map<string, Handler>();
        for (const [name, own] of services) byDatabase.set(name, own[at]?.handlers[method] as Handler);
        const isForAll = FOR_EVERY_DATABASE.has(method);
        return [method, isForAll ? handleEverywhere(byDatabase) : handleWithOwner(byDatabase, directory)];
      }),
    ),
  }));
}

function handleWithOwner(byDatabase: ReadonlyMap<string, Handler>, directory: Pick<OwnerDirectory, 'find'>): Handler {
  return (req: unknown, call: Call) => {
    const found = directory.find(call.requirePrincipal());
    if (typeof found === 'string') return (byDatabase.get(found) as Handler)(req, call);
    return found.then((name) => (byDatabase.get(name) as Handler)(req, call));
  };
}

/** Lets every database handle the call, even if one fails: the sender repeats it then. */
function handleEverywhere(byDatabase: ReadonlyMap<string, Handler>): Handler {
  return async (req: unknown, call: Call) => {
    const ends = await Promise.allSettled([...byDatabase.values()].map(async (handler) => handler(req, call)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return (ends[0] as PromiseFulfilledResult<unknown>).value;
  };
}
