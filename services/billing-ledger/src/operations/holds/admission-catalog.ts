import { boundFeeMicrocents, boundRates, type Catalog, isPriced, usualOutputTokens } from '@tollgate/catalog';
import type { PlannedModel } from '../../domain/plan-admission.js';

/** Catalog models as admission needs them. Each is converted once. */
export class AdmissionCatalog {
  readonly #catalog: Catalog;
  readonly #planned = new Map<string, PlannedModel>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  find(name: string): PlannedModel | undefined {
    const known = this.#planned.get(name);
    if (known) return known;
    const model = this.#catalog.find(name);
    if (!model) return undefined;
    const planned: PlannedModel = {
      modelId: model.model_id,
      outputBounds: { max: model.max_output_tokens, usual: usualOutputTokens(model) },
      toFeeMicrocents: (extras) => boundFeeMicrocents(model, extras),
      toPriceBound: (inputTokens, { cachesForHour, serviceTier }) =>
        boundRates(model, { inputTokens, cachesForHour, ...(serviceTier && { serviceTier }) }),
      price: {
        inputPerMillionCents: BigInt(model.input_cost_per_million_cents ?? 0),
        outputPerMillionCents: BigInt(model.output_cost_per_million_cents ?? 0),
        perImageCents: BigInt(model.price_per_image_cents ?? 0),
      },
      quotaUnits: BigInt(model.quota_units ?? 1),
      isPricedFor: {
        tokens: isPriced(model, 'text'),
        images: isPriced(model, 'images'),
      },
    };
    this.#planned.set(name, planned);
    return planned;
  }
}
