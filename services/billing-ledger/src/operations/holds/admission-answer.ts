import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AdmissionSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
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
  };
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
