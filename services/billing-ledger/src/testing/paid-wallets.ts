import { randomUUID } from 'node:crypto';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { AppError } from '@tollgate/errors';
import { type LocalNetwork, startCall } from '@tollgate/rpc';
import { type ControllableClock, type PaymentProcessor, startPaymentProcessor } from '@tollgate/testkit';
import Stripe from 'stripe';
import { callAs } from './ledger-harness.js';
import { URLS } from './payments-harness.js';

const WEBHOOK_SECRET = 'whsec_proof';
const CREATE_REFUND = /POST \/v1\/refunds$/;
/** The client library repeats a request without an answer once. */
const CALLS_PER_REFUND = 2;

/** A wallet with a payment that can be refunded. */
export interface PaidWallet {
  owner: Principal;
  customerId: string;
  orderId: string;
  /** The processor's id of the payment. */
  payment: string;
}

/** A simulated card processor for several ledgers, whose webhook events are delivered when a test asks for it. */
export class SharedProcessor {
  readonly #processor: PaymentProcessor;

  private constructor(processor: PaymentProcessor) {
    this.#processor = processor;
    processor.webhooks.hold();
  }

  static async start(clock: ControllableClock): Promise<SharedProcessor> {
    return new SharedProcessor(await startPaymentProcessor({ clock, tickMs: 0 }));
  }

  /** Settings of a ledger that uses it. */
  get env(): NodeJS.ProcessEnv {
    const secrets = { STRIPE_SECRET_KEY: 'sk_test_proof', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET };
    return { ...secrets, STRIPE_API_BASE: this.#processor.baseUrl };
  }

  /** Pays 15 dollars into a customer's wallet. */
  async pay(owner: Principal, customerId: string, at: LocalNetwork): Promise<PaidWallet> {
    const payments = at.client(PaymentService);
    const { topUp } = await payments.createWalletTopUp(
      { customerId, creditAmountCents: 1_500n, ...URLS },
      callAs(owner),
    );
    const { payment_intent: payment } = this.#processor.pay(topUp?.sessionId ?? '');
    for (const event of this.#processor.webhooks.waiting()) {
      const payload = JSON.stringify(event);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
      await payments.receiveNotice({ payload: Buffer.from(payload), signature }, startCall({ timeoutMs: 30_000 }));
    }
    return { owner, customerId, orderId: topUp?.id ?? '', payment: payment ?? '' };
  }

  /** Leaves the next refunds without an answer. */
  loseRefunds(count: number): void {
    this.#processor.faults.cut(CREATE_REFUND, 'before', count * CALLS_PER_REFUND);
  }

  /** Makes the processor refuse refunds of a payment. */
  refuseRefunds({ payment }: PaidWallet): void {
    this.#processor.openDispute(payment);
  }

  stop(): Promise<void> {
    return this.#processor.stop();
  }
}

/** Requests a refund; returns its status, or the code of the refusal. */
export async function requestRefund(wallet: PaidWallet, amountCents: bigint, at: LocalNetwork): Promise<string> {
  const { owner, orderId: paymentId } = wallet;
  const req = { paymentId, amountCents, cause: randomUUID() };
  try {
    return (await at.client(PaymentService).refundPayment(req, callAs(owner))).refund?.status ?? '';
  } catch (error) {
    return (error as AppError).code;
  }
}

/** Takes granted credit back twice with one cause. Returns the balances, and whether each call took anything. */
export async function withdrawTwice(
  { owner, customerId }: PaidWallet,
  cause: string,
  at: LocalNetwork,
): Promise<[balanceMicrocents: bigint, applied: boolean][]> {
  const req = { customerId, amountMicrocents: 1_000_000n, cause };
  const billing = at.client(BillingService);
  const answers = [await billing.withdrawCredit(req, callAs(owner)), await billing.withdrawCredit(req, callAs(owner))];
  return answers.map(({ balanceMicrocents, applied }) => [balanceMicrocents, applied]);
}
