import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CatalogModel, estimateInputTokens, loadCatalog } from '@tollgate/catalog';
import {
  type AdmitRequest,
  type AdmitResponse,
  BillingService,
  MeteredKind,
  type ReleaseRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { AppError } from '@tollgate/errors';
import { LocalNetwork, notDelivered, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import {
  type AdmitInput,
  admit,
  createLedger,
  estimate,
  type Ledger,
  namesUnknownModel,
  type Refused,
  refusal,
  release,
  underHold,
} from './index.js';

type Decision = { case: 'admitted'; value: object } | { case: 'refused'; value: object } | AppError;

const HOLD_ID = 'a0000000-0000-4000-8000-000000000001';
const input = { messages: ['How many tokens does this sentence have, more or less?'] };
const catalog = loadCatalog({ sandbox: true });

let admits: AdmitRequest[];
let releases: ReleaseRequest[];
let superseded: string[];
/** Answers to Admit; the last one repeats. */
let decisions: Decision[];
/** Calls of Release and SupersedeHolds that fail before one succeeds. */
let failures: number;
let ledger: Ledger;
let terms: AdmitInput;

beforeEach(() => {
  [admits, releases, superseded, failures] = [[], [], [], 0];
  decisions = [{ case: 'admitted', value: { modelId: 'm', maxOutputTokens: 50 } }];
  const network = new LocalNetwork();
  const handlers = {
    admit: (req: AdmitRequest): { decision: AdmitResponse['decision'] } => {
      admits.push(structuredClone(req));
      const decision = decisions.length > 1 ? decisions.shift() : decisions[0];
      if (decision instanceof AppError) throw decision;
      return { decision: decision as AdmitResponse['decision'] };
    },
    release: (req: ReleaseRequest) => {
      if (failures-- > 0) throw new AppError('SERVICE_UNAVAILABLE', 'not now');
      releases.push(req);
      return {};
    },
  };
  const supersedeHolds = ({ holdIds }: { holdIds: string[] }) => {
    if (failures-- > 0) throw new AppError('SERVICE_UNAVAILABLE', 'not now');
    superseded.push(...holdIds);
    return {};
  };
  network.register({ service: BillingService, handlers }, { service: HoldService, handlers: { supersedeHolds } });
  ledger = createLedger({
    billing: network.client(BillingService),
    holds: network.client(HoldService),
    logger: silentLogger,
  });
  terms = { hold: { holdId: HOLD_ID }, model: 'm', inputTokens: 7, maxOutputTokens: 50 };
});

const lost = () => new AppError('SERVICE_UNAVAILABLE', 'the answer was lost');
const refused = (code: string, more: object = {}): Decision => ({
  case: 'refused',
  value: { code, message: 'no', ...more },
});
/** Waits until the queue has no release or supersession left. */
const settled = () => ledger.endings.drain(5_000);

describe('estimate', () => {
  it('counts for a known model as the catalog does', () => {
    const model = catalog.find('sandbox/echo-1') as CatalogModel;
    expect(estimate(model, input)).toBe(estimateInputTokens(model, input));
  });

  it('bounds the input of an unknown model by its bytes', () => {
    expect(estimate(undefined, input)).toBeGreaterThanOrEqual(Buffer.byteLength(input.messages[0] as string));
  });
});

describe('admit', () => {
  it('holds the terms under the id of the hold', async () => {
    const outcome = await admit(ledger, { ...terms, supersedesHoldId: 's', partOfHoldId: 'p' }, startCall());
    expect(outcome).toMatchObject({ kind: 'admitted', inputTokens: 7, admission: { modelId: 'm' } });
    expect(admits).toMatchObject([
      {
        holdId: HOLD_ID,
        kind: MeteredKind.TEXT,
        inputTokensEstimate: 7n,
        maxOutputTokens: 50,
        supersedesHoldId: 's',
        partOfHoldId: 'p',
      },
    ]);
    expect(terms.hold.isUndispatched).toBe(false);
  });

  it('holds images individually', async () => {
    await admit(ledger, { ...terms, images: 2 }, startCall());
    expect(admits).toMatchObject([{ kind: MeteredKind.IMAGES, images: 2 }]);
  });

  it('returns a refusal and proves the hold undispatched', async () => {
    decisions = [refused('WALLET_EMPTY')];
    expect(await admit(ledger, terms, startCall())).toMatchObject({
      kind: 'refused',
      code: 'WALLET_EMPTY',
      message: 'no',
    });
    expect(terms.hold.isUndispatched).toBe(true);
    expect(releases).toEqual([]);
  });

  it('counts a loose bound exactly when the bound does not fit', async () => {
    const model = { ...(catalog.find('sandbox/echo-1') as CatalogModel), tokenizer: 'o200k' } as CatalogModel;
    decisions = [refused('WALLET_EMPTY', { mayFitCounted: true }), ...decisions];
    const outcome = await admit(ledger, { ...terms, inputTokens: 90, countable: { model, input } }, startCall());
    expect(admits.map((req) => req.estimateIsLoose)).toEqual([true, false]);
    expect(admits[0]?.inputTokensEstimate).toBe(90n);
    expect(outcome).toMatchObject({ kind: 'admitted', inputTokens: Number(admits[1]?.inputTokensEstimate) });
    expect(admits[1]?.inputTokensEstimate).toBeLessThan(90n);
  });

  it('returns `ended` for a hold that has ended', async () => {
    decisions = [{ case: 'admitted', value: { hasEnded: true, wasReleased: true } }];
    expect(await admit(ledger, terms, startCall())).toMatchObject({ kind: 'ended', admission: { wasReleased: true } });
  });

  it('releases the hold when the answer is lost, and repeats that until the ledger answers', async () => {
    decisions = [lost()];
    failures = 2;
    await expect(admit(ledger, terms, startCall())).rejects.toMatchObject({ message: 'the answer was lost' });
    await settled();
    expect(releases).toMatchObject([{ holdIds: [HOLD_ID], facts: { errorCode: 'CANCELED', status: 499 } }]);
    expect(terms.hold.isUndispatched).toBe(false);
  });

  it('keeps a resumable hold when the answer is lost', async () => {
    decisions = [lost()];
    await expect(admit(ledger, { ...terms, isResumable: true }, startCall())).rejects.toThrow();
    await settled();
    expect(releases).toEqual([]);
  });

  it('releases nothing when the request was not delivered', async () => {
    ledger = { ...ledger, billing: { ...ledger.billing, admit: () => Promise.reject(notDelivered()) } };
    await expect(admit(ledger, terms, startCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await settled();
    expect(releases).toEqual([]);
    expect(terms.hold.isUndispatched).toBe(true);
  });
});

describe('refusal', () => {
  const of = (code: string): Refused => ({ kind: 'refused', code, message: 'no' });

  it.each([
    ['WALLET_EMPTY', 'customer', 402, 'WALLET_EMPTY'],
    ['ACCOUNT_QUOTA_EXCEEDED', 'project', 402, 'ACCOUNT_QUOTA_EXCEEDED'],
    ['ACCOUNT_QUOTA_EXCEEDED', 'customer', 503, 'SERVICE_UNAVAILABLE'],
    ['INVALID_INPUT', 'customer', 400, 'INVALID_INPUT'],
    ['A_CODE_OF_TOMORROW', 'customer', 402, 'PAYMENT_REQUIRED'],
  ] as const)('shows %s to a %s as %d %s', (code, audience, status, shown) => {
    expect(refusal(of(code), audience)).toMatchObject({ status, code: shown });
  });

  it('distinguishes an unknown model from invalid input', () => {
    const known = catalog.find('sandbox/echo-1');
    expect(namesUnknownModel(of('INVALID_INPUT'), 'x', undefined)).toBe(true);
    expect(namesUnknownModel(of('INVALID_INPUT'), 'x', known)).toBe(false);
    expect(namesUnknownModel(of('INVALID_INPUT'), undefined, undefined)).toBe(false);
    expect(namesUnknownModel(of('WALLET_EMPTY'), 'x', undefined)).toBe(false);
  });
});

describe('underHold', () => {
  const fail = (error: unknown, call = startCall()) =>
    expect(underHold(ledger, terms.hold, call, Promise.reject(error))).rejects.toBe(error);

  it('returns the answer and leaves the hold to its settlement', async () => {
    expect(await underHold(ledger, terms.hold, startCall(), Promise.resolve(1))).toBe(1);
    expect([releases, superseded]).toEqual([[], []]);
  });

  it('releases the hold of work that was not delivered', async () => {
    await fail(notDelivered());
    await settled();
    expect(releases).toMatchObject([{ holdIds: [HOLD_ID], facts: { errorCode: 'SERVICE_UNAVAILABLE' } }]);
    expect(terms.hold.isUndispatched).toBe(true);
  });

  it.each(['SERVICE_UNAVAILABLE', 'RELAY_TIMEOUT', 'INTERNAL_ERROR'] as const)(
    'supersedes the hold of work that failed with %s',
    async (code) => {
      failures = 1;
      await fail(new AppError(code, 'the stream broke'));
      expect(superseded).toEqual([HOLD_ID]);
      expect(releases).toEqual([]);
    },
  );

  it('keeps the charge of work that failed for a known reason', async () => {
    await fail(new AppError('PROVIDER_ERROR', 'the provider failed'));
    expect([releases, superseded]).toEqual([[], []]);
  });

  it('keeps the charge of work whose client left', async () => {
    const left = new AbortController();
    left.abort();
    await fail(new AppError('RELAY_TIMEOUT', 'the client left'), startCall({ signal: left.signal }));
    expect([releases, superseded]).toEqual([[], []]);
  });
});

describe('release', () => {
  it('resolves while the ledger is unavailable', async () => {
    failures = Number.POSITIVE_INFINITY;
    await release(ledger, terms.hold, 'CANCELED', startCall());
    await ledger.endings.drain(1);
    expect(releases).toEqual([]);
  });
});

describe('a ledger that does not answer', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each(['release', 'supersede'] as const)('makes %s wait for one second', async (name) => {
    const hangs = () => new Promise<never>(() => undefined);
    const hanging: Ledger = {
      billing: { ...ledger.billing, release: hangs },
      holds: { supersedeHolds: hangs },
      endings: ledger.endings,
    };
    let isOver = false;
    const ending =
      name === 'release'
        ? release(hanging, terms.hold, 'CANCELED', startCall())
        : underHold(hanging, terms.hold, startCall(), Promise.reject(lost())).catch(() => undefined);
    void ending.then(() => {
      isOver = true;
    });
    await jest.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });
});
