import { readdirSync, readFileSync } from 'node:fs';
import { type DataModel, readSchema } from './read-schema.js';

const SERVICES = new URL('../../../services/', import.meta.url);

export const DATA_MODEL = new URL('../../../docs/data-model.md', import.meta.url);

/** Returns the data model of each service. Throws for a service without a schema. */
export function readServices(): Map<string, DataModel> {
  return new Map(
    readdirSync(SERVICES).map((service) => [
      service,
      readSchema(readFileSync(new URL(`${service}/prisma/schema.prisma`, SERVICES), 'utf8')),
    ]),
  );
}
