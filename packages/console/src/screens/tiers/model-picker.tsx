import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { modelsQuery } from '../../api/queries.js';
import type { Model } from '../../api/types.js';
import { readCents } from '../../format/money.js';
import { Button } from '../../parts/button.js';
import { Select } from '../../parts/field.js';
import { Loaded } from '../../parts/states.js';
import { usualPrice } from './find-losses.js';
import { PriceCell } from './price-cell.js';
import type { ModelDraft } from './tier-draft.js';

export interface ModelPickerProps {
  models: readonly ModelDraft[];
  /** Percent on prices of the catalog. */
  markup: number;
  onChange: (models: readonly ModelDraft[]) => void;
}

/** The models of a tier, with the price of each beside its cost. */
export function ModelPicker({ models, markup, onChange }: ModelPickerProps) {
  const catalog = useQuery(modelsQuery);
  return (
    <Loaded query={catalog}>
      {({ models: all }) => (
        <>
          <ModelAdder all={all} models={models} onChange={onChange} />
          {models.length === 0 && (
            <p className="px-4 pb-6 text-center text-soft">Customers of this tier can use no model yet. Add one.</p>
          )}
          <ul>
            {models.map((model) => (
              <ModelRow
                key={model.modelId}
                model={model}
                known={all.find(({ model_id: id }) => id === model.modelId)}
                markup={markup}
                onChange={(changes) => onChange(changeOne(models, model.modelId, changes))}
                onRemove={() => onChange(models.filter(({ modelId }) => modelId !== model.modelId))}
              />
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

/** At most one model is the default. */
function changeOne(models: readonly ModelDraft[], id: string, changes: Partial<ModelDraft>): ModelDraft[] {
  return models.map((model) => {
    if (model.modelId === id) return { ...model, ...changes };
    return changes.isDefault ? { ...model, isDefault: false } : model;
  });
}

function ModelAdder({ all, models, onChange }: { all: readonly Model[] } & Omit<ModelPickerProps, 'markup'>) {
  const chosen = new Set(models.map(({ modelId }) => modelId));
  const free = all.filter(({ model_id: id }) => !chosen.has(id));
  const add = (modelId: string) =>
    onChange([...models, { modelId, isDefault: models.length === 0, input: '', cached: '', output: '', image: '' }]);
  const options = free.map(({ model_id: id, display_name: name }) => [id, `${name} (${id})`] as const);
  return (
    <div className="p-4">
      <Select
        aria-label="Add a model"
        value=""
        options={[['', 'Add a model …'], ...options]}
        onPick={(id) => id !== '' && add(id)}
      />
    </div>
  );
}

interface ModelRowProps {
  model: ModelDraft;
  known: Model | undefined;
  markup: number;
  onChange: (changes: Partial<ModelDraft>) => void;
  onRemove: () => void;
}

function ModelRow({ model, known, markup, onChange, onRemove }: ModelRowProps) {
  const { modelId } = model;
  const {
    input_cost_per_million_cents: input,
    output_cost_per_million_cents: output,
    price_per_image_cents: image,
  } = known ?? {};
  return (
    <li className="relative flex flex-wrap items-start gap-x-4 gap-y-3 border-t px-4 py-3">
      <div className="min-w-48 flex-1">
        <div className="font-medium">{known?.display_name ?? model.modelId}</div>
        <code className="font-mono text-xs text-soft">{model.modelId}</code>
        <label className="mt-1 flex items-center gap-2 text-soft">
          <input
            type="radio"
            name="default-model"
            checked={model.isDefault}
            onChange={() => onChange({ isDefault: true })}
            className="accent-accent"
          />
          Default
        </label>
      </div>
      {input !== undefined && (
        <PriceCell
          modelId={modelId}
          unit="input, per million tokens"
          cost={input}
          usual={usualPrice(input, markup)}
          text={model.input}
          onChange={(text) => onChange({ input: text })}
        />
      )}
      {input !== undefined && (
        <PriceCell
          modelId={modelId}
          unit="cached input, per million tokens"
          cost={undefined}
          usual={readCents(model.input) ?? usualPrice(input, markup)}
          text={model.cached}
          onChange={(text) => onChange({ cached: text })}
        />
      )}
      {output !== undefined && (
        <PriceCell
          modelId={modelId}
          unit="output, per million tokens"
          cost={output}
          usual={usualPrice(output, markup)}
          text={model.output}
          onChange={(text) => onChange({ output: text })}
        />
      )}
      {image !== undefined && (
        <PriceCell
          modelId={modelId}
          unit="per image"
          cost={image}
          usual={usualPrice(image, markup)}
          text={model.image}
          onChange={(text) => onChange({ image: text })}
        />
      )}
      <Button
        look="quiet"
        className="px-2 max-sm:absolute max-sm:top-2 max-sm:right-2"
        aria-label={`Remove ${model.modelId}`}
        onClick={onRemove}
      >
        <X className="size-4" aria-hidden />
      </Button>
    </li>
  );
}
