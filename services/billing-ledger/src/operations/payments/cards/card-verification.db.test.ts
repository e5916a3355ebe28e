import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('card_verification', {
  SIGNUP_CREDIT_CENTS: '500',
  AUTO_TOPUP_MAX_DAILY_CENTS: '5000',
  AUTO_TOPUP_MAX_MONTHLY_CENTS: '9000',
});

const CENT = 1_000_000n;
const cents = async (owner: Principal) =>
  (await harness.billing.getAccountBalance({}, callAs(owner))).balanceMicrocents / CENT;
const consistent = async (owner: Principal) =>
  expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);

describe('card verification', () => {
  const start = (owner: Principal) => harness.payments.startCardVerification(URLS, callAs(owner));
  const confirm = (owner: Principal, checkoutSessionId: string) =>
    harness.payments.confirmCardVerification({ checkoutSessionId }, callAs(owner));
  const outcome = async (owner: Principal) =>
    (await harness.payments.getCardVerification({}, callAs(owner))).verification;

  it('grants the signup credit once, as granted credit', async () => {
    const owner = ownerPrincipal();
    expect(await outcome(owner)).toMatchObject({ verified: false, creditGranted: false });
    const session = await start(owner);
    expect(session).toMatchObject({
      verificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checkoutUrl: expect.stringContaining(session.checkoutSessionId),
    });
    harness.processor.webhooks.hold();
    harness.processor.pay(session.checkoutSessionId, { card: 'pm_card_new' });
    const verified = { verified: true, creditGranted: true, cardBrand: 'visa', grantAmountCents: 500n };
    const answers = await Promise.all([1, 2, 3].map(() => confirm(owner, session.checkoutSessionId)));
    for (const { verification } of answers) expect(verification).toMatchObject(verified);
    for (const event of harness.processor.webhooks.waiting()) await harness.notify(event);
    expect(await outcome(owner)).toMatchObject({ ...verified, grantAlreadyUsedByCard: false });
    expect(await cents(owner)).toBe(500n);
    const { rows } = await harness.ledger.database.pool.query(
      `SELECT t.kind FROM transfers t JOIN accounts a ON a.id = t.credit_account WHERE a.ref_id = $1`,
      [owner.accountId],
    );
    expect(rows).toEqual([{ kind: 'promo' }]);
    await consistent(owner);
  });

  it('verifies the account on the webhook event alone', async () => {
    const owner = ownerPrincipal();
    harness.processor.pay((await start(owner)).checkoutSessionId, { card: 'pm_card_new' });
    await harness.settled();
    expect(await outcome(owner)).toMatchObject({ verified: true, creditGranted: true });
  });

  it('grants one credit per card across accounts, even concurrently', async () => {
    const owners = Array.from({ length: 4 }, () => ownerPrincipal());
    harness.processor.webhooks.hold();
    const sessions = await Promise.all(owners.map(start));
    for (const { checkoutSessionId } of sessions)
      harness.processor.pay(checkoutSessionId, { card: 'pm_card_visa_debit' });
    await Promise.all(owners.map((owner, i) => confirm(owner, sessions[i]?.checkoutSessionId ?? '')));
    const outcomes = await Promise.all(owners.map(outcome));
    expect(outcomes.filter((o) => o?.creditGranted)).toHaveLength(1);
    expect(outcomes.filter((o) => o?.grantAlreadyUsedByCard)).toHaveLength(3);
    expect(outcomes.every((o) => o?.verified)).toBe(true);
    const balances = await Promise.all(owners.map(cents));
    expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(500n);
  });

  it('answers 422 to a prepaid card and then accepts another', async () => {
    const owner = ownerPrincipal();
    const { checkoutSessionId } = await start(owner);
    harness.processor.pay(checkoutSessionId, { card: 'pm_card_mastercard_prepaid' });
    await harness.settled();
    await expect(confirm(owner, checkoutSessionId)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('prepaid'),
    });
    expect(await outcome(owner)).toMatchObject({ verified: false });
    expect(await cents(owner)).toBe(0n);
    const again = await start(owner);
    harness.processor.pay(again.checkoutSessionId, { card: 'pm_card_new' });
    expect((await confirm(owner, again.checkoutSessionId)).verification?.verified).toBe(true);
  });

  it('answers 409 before its checkout is finished and after it is done, and 404 to other accounts', async () => {
    const owner = ownerPrincipal();
    const { checkoutSessionId } = await start(owner);
    await expect(confirm(owner, checkoutSessionId)).rejects.toMatchObject({ status: 409 });
    await expect(confirm(ownerPrincipal(), checkoutSessionId)).rejects.toMatchObject({ status: 404 });
    await expect(confirm(owner, 'cs_none')).rejects.toMatchObject({ status: 404 });
    harness.processor.pay(checkoutSessionId, { card: 'pm_card_new' });
    await confirm(owner, checkoutSessionId);
    await expect(start(owner)).rejects.toMatchObject({ status: 409 });
  });

  it('grants once for two concurrent verifications of one account', async () => {
    const owner = ownerPrincipal();
    harness.processor.webhooks.hold();
    const sessions = await Promise.all([start(owner), start(owner)]);
    for (const { checkoutSessionId } of sessions) harness.processor.pay(checkoutSessionId, { card: 'pm_card_new' });
    await Promise.all(sessions.map(({ checkoutSessionId }) => confirm(owner, checkoutSessionId)));
    expect(await cents(owner)).toBe(500n);
  });
});
