// Conditions on POINT columns: {"$near":{"point":[13.4,52.5],"km":10}} and {"$within":[west,south,east,north]}.

import { pointOf } from './columns/geo-point.ts'
import { type QryValue, refuse } from './qry-text.ts'
import type { JsonValue, SearchField } from './values.ts'

export type PlaceMatch =
  | {
      readonly op: 'near'
      readonly field: SearchField
      readonly point: readonly [number, number]
      readonly km: number
    }
  | { readonly op: 'within'; readonly field: SearchField; readonly box: Box }

/** West, south, east, north. A box from 170 to -170 contains the antimeridian (RFC 7946, section 5.2). */
type Box = readonly [number, number, number, number]

interface PlaceOperation {
  readonly field: SearchField
  readonly value: QryValue
  readonly path: string
}

export function nearPoint({ field, value, path }: PlaceOperation): PlaceMatch {
  requirePoints(field, path)
  const rule = 'must be {"point": [longitude, latitude], "km": distance}'
  if (!(value instanceof Map) || value.size !== 2) return refuse(path, rule)
  const parts = value as ReadonlyMap<string, QryValue>
  const point = pointOf(numbersIn(parts.get('point')))
  const km = numberOf(parts.get('km'))
  if (point === undefined || km === undefined || km < 0) return refuse(path, rule)
  return { op: 'near', field, point, km }
}

export function withinBox({ field, value, path }: PlaceOperation): PlaceMatch {
  requirePoints(field, path)
  const [west, south, east, north, ...more] = numbersIn(value)
  const corners = [pointOf([west, south]), pointOf([east, north])]
  const isBox = more.length === 0 && !corners.includes(undefined) && Number(south) <= Number(north)
  return isBox
    ? { op: 'within', field, box: [Number(west), Number(south), Number(east), Number(north)] }
    : refuse(path, 'must be [west, south, east, north] in degrees, with south at most north')
}

function requirePoints({ kind, name }: SearchField, path: string): void {
  if (kind !== 'point') refuse(path, `works only on POINT columns, and "${name}" is not one`)
}

function numbersIn(value: QryValue | undefined): readonly (number | undefined)[] {
  return Array.isArray(value) ? (value as readonly QryValue[]).map(numberOf) : []
}

/** A qry keeps a number of many digits as text, which is rounded here: a double is exact to a millionth of a millimeter. */
function numberOf(value: QryValue | undefined): number | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'string'
  const number = isNumber && value !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** A value without a place is nowhere. */
export function isPlaceMatch(match: PlaceMatch, value: JsonValue): boolean {
  const place = pointOf(value)
  if (place === undefined) return false
  if (match.op === 'near') return distanceKm(match.point, place) <= match.km + ROUNDING_KM
  const [west, south, east, north] = match.box
  const [longitude, latitude] = place
  const isBetween =
    west <= east ? west <= longitude && longitude <= east : longitude >= west || longitude <= east
  return isBetween && south <= latitude && latitude <= north
}

/** Rounding puts all longitudes of a pole, and 180 and -180 degrees, up to 1.6e-12 km apart. */
const ROUNDING_KM = 1e-11

/** Mean radius of the Earth (IUGG). */
const EARTH_KM = 6_371.0088
const RADIANS = Math.PI / 180

/** The great-circle distance, by the haversine formula; up to 0.5 % off, because the Earth is not a sphere. */
function distanceKm(
  [fromLongitude, fromLatitude]: readonly [number, number],
  [longitude, latitude]: readonly [number, number],
): number {
  const half = (degrees: number): number => Math.sin((degrees * RADIANS) / 2) ** 2
  const across =
    Math.cos(fromLatitude * RADIANS) *
    Math.cos(latitude * RADIANS) *
    half(longitude - fromLongitude)
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half(latitude - fromLatitude) + across)))
}
