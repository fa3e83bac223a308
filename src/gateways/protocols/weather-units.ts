import { readNumber } from '../../language/sensor-value';

/** `si` converts imperial units; `raw` keeps them. */
export type WeatherUnits = 'si' | 'raw';

export interface WeatherField {
  name: string;
  value: number | string;
  /** Undefined without a unit, as for the UV index, or if unknown. */
  unit: string | undefined;
}

/** The reported unit, and its conversion if another one is stored. */
interface Quantity {
  unit: string;
  si?: { unit: string; decimals: number; convert: (reported: number) => number };
}

const TEMPERATURE: Quantity = {
  unit: '°F',
  si: { unit: '°C', decimals: 2, convert: (reported) => (reported - 32) / 1.8 },
};
const WIND_SPEED = scaled('mph', 'm/s', 0.44704, 2);
const PRESSURE = scaled('inHg', 'hPa', 33.86389, 2);
/** Growers know the vapour pressure deficit in kPa. */
const VAPOUR_PRESSURE = scaled('inHg', 'kPa', 3.386389, 3);
const RAIN = scaled('in', 'mm', 25.4, 2);
const RAIN_RATE = scaled('in/h', 'mm/h', 25.4, 2);
const VISIBILITY = scaled('nmi', 'km', 1.852, 2);

/** The third item replaces the pattern with the name of a converted value, by default the first group. */
const RULES: readonly (readonly [pattern: RegExp, quantity: Quantity, replacement?: string])[] = [
  [/^((?:indoor|soil)?temp(?:in|feels|\d{1,2})?)f$/, TEMPERATURE],
  [/^(dewpoint(?:in|\d{1,2})?|(?:indoor)?dewpt|feelslike|windchill|heatindex)f$/, TEMPERATURE],
  [/^tf_(ch\d{1,2}|co2)$/, TEMPERATURE, 'temp_$1'],
  [/^(w?bgt)$/, TEMPERATURE],
  [/^(wind(?:speed|gust|spd))mph((?:_(?:avg)?\d{1,2}m)?)$/, WIND_SPEED, '$1$2'],
  [/^(maxdailygust)(?:mph)?$/, WIND_SPEED],
  [/^(barom(?:rel|abs)?)in$/, PRESSURE],
  [/^(vpd)$/, VAPOUR_PRESSURE],
  [/^((?:daily|hourly|event|weekly|monthly|yearly|total|24hour|last24h)?rain)in$/, RAIN],
  [/^((?:[ehdwmy]|last24h)rain_piezo)$/, RAIN],
  [/^(rainrate)in$/, RAIN_RATE],
  [/^(rrain_piezo)$/, RAIN_RATE],
  [/^(visibility)$/, VISIBILITY],
  [/^(?:humidity(?:in|\d{1,2})?|indoorhumidity|humi_co2)$/, { unit: '%' }],
  [/^(?:soilmoisture\d{0,2}|leafwetness(?:\d|_ch\d)?)$/, { unit: '%' }],
  [/^wind(?:gust)?dir(?:_(?:avg)?\d{1,2}m)?$/, { unit: '°' }],
  [/^solarradiation$/, { unit: 'W/m²' }],
  [/^pm(?:1|4|10|25)(?:_(?:avg_)?24h)?(?:_(?:in|co2|ch\d))?$/, { unit: 'µg/m³' }],
  [/^Aq(?:PM2\.5|PM10|NO3|SO4|EC|OC|BC|UV-AETH)$/, { unit: 'µg/m³' }],
  [/^Aq(?:NO|NO2T?|NO2Y|NOX|NOY|SO2T?|COT|OZONE)$/, { unit: 'ppb' }],
  [/^(?:co2(?:in)?(?:_24h)?|AqCO)$/, { unit: 'ppm' }],
  [/^lightning$/, { unit: 'km' }],
  [/^ws90cap_volt$/, { unit: 'V' }],
  [/^(?:runtime|interval)$/, { unit: 's' }],
];

/** Reported for a sensor that is not received. */
const MISSING = -9_999;

/** Undefined for a missing value, and for no number where one is known. */
export function readWeatherField(name: string, text: string, units: WeatherUnits): WeatherField | undefined {
  const value = readNumber(text);
  if (value === MISSING || text.trim() === '') return undefined;
  const rule = RULES.find(([pattern]) => pattern.test(name));
  if (rule) return value === null ? undefined : measured(name, value, rule, units);
  // A number would lose digits of a long identifier.
  const isText = value === null || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return { name, value: isText ? text : value, unit: undefined };
}

function measured(
  name: string,
  value: number,
  [pattern, { unit, si }, replacement = '$1']: (typeof RULES)[number],
  units: WeatherUnits,
): WeatherField {
  if (!si || units === 'raw') return { name, value, unit };
  return {
    name: name.replace(pattern, replacement),
    value: rounded(si.convert(value), si.decimals),
    unit: si.unit,
  };
}

function scaled(unit: string, si: string, factor: number, decimals: number): Quantity {
  return { unit, si: { unit: si, decimals, convert: (reported) => reported * factor } };
}

/** Rounded, and never minus zero. */
function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0;
}
