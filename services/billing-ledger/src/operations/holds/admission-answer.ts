import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AdmissionSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type Hold, heldMicrocents } from '../../domain/hold.js';
import type { Price } from '../../domain/price.js';

/** What the caller of an admission learns of its hold. */
export function admissionOf(
  { terms, legs }: Pick<Hold, 'terms' | 'legs'>,
  holdTtlMs: number,
): MessageInitShape<typeof AdmissionSchema> {
  return {
    modelId: terms.modelId,
    maxOutputTokens: terms.maxOutputTokens,
    ...(terms.customerPrice && { customerPrice: priceOf(terms.customerPrice) }),
    providerPrice: priceOf(terms.providerPrice),
    tierId: terms.tierId ?? '',
    tierCode: terms.tierCode ?? '',
    heldMicrocents: heldMicrocents(legs),
    holdTtlMs,
  };
}

function priceOf(price: Price) {
  return {
    inputPerMillionCents: price.inputPerMillionCents,
    outputPerMillionCents: price.outputPerMillionCents,
    perImageCents: price.perImageCents,
  };
}
