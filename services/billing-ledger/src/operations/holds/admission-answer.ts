import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AdmissionSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import type { ConnectionMode } from '../../domain/connections/connection.js';
import { type Hold, heldMicrocents } from '../../domain/hold.js';
import type { Price } from '../../domain/price.js';

/** Converts a hold to the response of its admission. */
export function toAdmission(
  { terms, legs }: Pick<Hold, 'terms' | 'legs'>,
  holdTtlMs: number,
): MessageInitShape<typeof AdmissionSchema> {
  return {
    modelId: terms.modelId,
    maxOutputTokens: terms.maxOutputTokens,
    customerPrice: terms.customerPrice && toPriceMessage(terms.customerPrice),
    providerPrice: toPriceMessage(terms.providerPrice),
    tierId: terms.tierId ?? '',
    tierCode: terms.tierCode ?? '',
    heldMicrocents: heldMicrocents(legs),
    holdTtlMs,
    ownConnections: toOwnConnections(terms.ownConnections),
  };
}

/** Converts a mode of connections to its message; absent: the installation's connections only. */
export function toOwnConnections(mode: ConnectionMode | undefined): OwnConnections {
  if (mode === undefined) return OwnConnections.UNSPECIFIED;
  return mode === 'only' ? OwnConnections.ONLY : OwnConnections.PREFER;
}

/** Converts a price to its message. */
export function toPriceMessage(price: Price) {
  return {
    inputPerMillionCents: price.inputPerMillionCents,
    outputPerMillionCents: price.outputPerMillionCents,
    perImageCents: price.perImageCents,
    ...(price.cachedInputPerMillionCents !== undefined && {
      cachedInputPerMillionCents: price.cachedInputPerMillionCents,
    }),
  };
}
