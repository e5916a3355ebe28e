// Node's `--import` for one side of a comparison: the instruments of @tollgate/metrics count nothing.
import { CounterInstrument, HistogramInstrument } from '../../packages/metrics/dist/instruments.js';

const nothing = () => {};
const bound = { add: nothing, record: nothing };
Object.assign(CounterInstrument.prototype, { add: nothing, with: () => bound });
Object.assign(HistogramInstrument.prototype, { record: nothing, with: () => bound });
