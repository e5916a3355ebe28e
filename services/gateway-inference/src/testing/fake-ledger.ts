import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AdmitRequest,
  BillingService,
  type RecordProgressRequest,
  type ReleaseRequest,
  SettleOutcome,
  type SettleRequest,
  type SettleResponseSchema,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { ConnectionService, type OpenedConnectionSchema } from '@tollgate/contracts/billing/v1/connections_pb.js';
import {
  type ExtendHoldRequest,
  type ExtendHoldResponseSchema,
  HoldService,
} from '@tollgate/contracts/billing/v1/holds_pb.js';
import { AppError } from '@tollgate/errors';
import type { LocalNetwork } from '@tollgate/rpc';

/** A ledger as inference sees it: records settlements, and fails or stalls on demand. */
export class FakeLedger {
  readonly settled: SettleRequest[] = [];
  readonly released: ReleaseRequest[] = [];
  readonly progress: RecordProgressRequest[] = [];
  /** Attempts, failed ones included. */
  attempts = 0;
  failNext = 0;
  holdsAreOpen = true;
  readonly admitted: AdmitRequest[] = [];
  /** While set, the answers to admissions are lost. */
  losesAdmissions = false;
  readonly extensions: ExtendHoldRequest[] = [];
  /** While set, admissions and extensions are refused with this code. */
  refusal: string | undefined;
  /** Connections of every project. */
  ownConnections: MessageInitShape<typeof OpenedConnectionSchema>[] = [];
  /** While set, they cannot be read. */
  connectionFailure: AppError | undefined;
  /** How often they were read. */
  connectionReads = 0;
  /** While set, settling waits for it. */
  gate: Promise<void> | undefined;

  join(network: LocalNetwork): void {
    network.register({ service: HoldService, handlers: { extendHold: (req: ExtendHoldRequest) => this.#extend(req) } });
    const openConnections = () => {
      this.connectionReads++;
      if (this.connectionFailure) throw this.connectionFailure;
      return { connections: this.ownConnections };
    };
    network.register({ service: ConnectionService, handlers: { openConnections } });
    network.register({
      service: BillingService,
      handlers: {
        admit: (req: AdmitRequest) => {
          this.admitted.push(req);
          if (this.losesAdmissions) throw new AppError('SERVICE_UNAVAILABLE', 'the answer got lost');
          return { decision: this.#decision(req.model, req.maxOutputTokens) };
        },
        settle: (req: SettleRequest) => this.#settle(req),
        release: (req: ReleaseRequest) => {
          this.released.push(req);
          return {};
        },
        recordProgress: (req: RecordProgressRequest) => {
          this.progress.push(req);
          return { open: this.holdsAreOpen };
        },
      },
    });
  }

  /** The only settlement of a request. */
  findSettlement(holdId: string): SettleRequest {
    const found = this.settled.filter((req) => req.holdId === holdId);
    if (found.length !== 1) throw new Error(`${found.length} settlements of ${holdId}`);
    return found[0]!;
  }

  /** The only release of a hold, which has no settlement. */
  findRelease(holdId: string): ReleaseRequest {
    if (this.settled.some((req) => req.holdId === holdId)) throw new Error(`${holdId} was settled`);
    const found = this.released.filter((req) => req.holdIds.includes(holdId));
    if (found.length !== 1) throw new Error(`${found.length} releases of ${holdId}`);
    return found[0]!;
  }

  #extend(req: ExtendHoldRequest): MessageInitShape<typeof ExtendHoldResponseSchema> {
    this.extensions.push(req);
    return { decision: this.#decision('', req.maxOutputTokens) };
  }

  #decision(modelId: string, maxOutputTokens = 1_000) {
    const code = this.refusal;
    if (code !== undefined) return { case: 'refused' as const, value: { code, message: 'no' } };
    const providerPrice = { perImageCents: 4n };
    return { case: 'admitted' as const, value: { modelId, maxOutputTokens, providerPrice } };
  }

  async #settle(req: SettleRequest): Promise<MessageInitShape<typeof SettleResponseSchema>> {
    this.attempts++;
    await this.gate;
    if (this.failNext > 0) {
      this.failNext--;
      throw new AppError('SERVICE_UNAVAILABLE', 'the ledger is unavailable');
    }
    this.settled.push(req);
    const { inputTokens = 0n, outputTokens = 0n } = req.usage ?? {};
    const tokens = inputTokens + outputTokens;
    const outcome = tokens > 0n ? SettleOutcome.POSTED : SettleOutcome.RELEASED;
    return { outcome, customerMicrocents: tokens * 200n, ownerMicrocents: tokens * 100n };
  }
}
