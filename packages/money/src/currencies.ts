/**
 * The digits after the point of the currencies of ISO 4217 that have not two. The card processor counts three currencies in
 * another way than ISO 4217: `isk` and `ugx` in hundredths, `mga` in whole ones. Prices are charged as it counts.
 */
const OTHER_DECIMALS: Readonly<Record<number, string>> = {
  0: 'bif clp djf gnf jpy kmf krw mga pyg rwf uyi vnd vuv xaf xof xpf',
  3: 'bhd iqd jod kwd lyd omr tnd',
  4: 'clf uyw',
};

const TWO_DECIMALS = `
  aed afn all amd aoa ars aud awg azn bam bbd bdt bmd bnd bob bov brl bsd btn bwp byn bzd cad cdf che chf chw cny cop cou
  crc cup cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg huf idr ils inr irr isk jmd kes
  kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mru mur mvr mwk mxn mxv myr mzn nad ngn nio nok npr
  nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt top
  try ttd twd tzs uah ugx usd usn uyu uzs ved ves wst xcd xcg yer zar zmw zwg`;

const DECIMALS = new Map<string, number>([
  ...toCodes(TWO_DECIMALS).map((code) => [code, 2] as const),
  ...Object.entries(OTHER_DECIMALS).flatMap(([digits, codes]) =>
    toCodes(codes).map((code) => [code, Number(digits)] as const),
  ),
]);

function toCodes(list: string): string[] {
  return list.trim().split(/\s+/);
}

/**
 * Returns how many digits after the point the currency has: amounts in `…_cents` are in its smallest unit, which is a
 * hundredth for most. Undefined for what is no code of a current currency in ISO 4217, in any case.
 */
export function findCurrencyDecimals(code: string): number | undefined {
  return DECIMALS.get(code.toLowerCase());
}
