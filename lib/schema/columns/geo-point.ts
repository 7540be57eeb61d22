// The kind of field for POINT columns: [longitude, latitude] in degrees, the order of GeoJSON (RFC 7946, section 3.1.1), on
// WGS 84.

import { accept, type Access, type Field, field, refuse } from '../field.ts'

const RULE =
  'must be [longitude, latitude]: two numbers, from -180 to 180 and from -90 to 90, such as [13.4, 52.5]'

export function geoPoint<A extends Access>(access: A): Field<readonly number[], A> {
  const schema = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }
  const options = {
    description:
      'A place: [longitude, latitude] in degrees, from -180 to 180 and from -90 to 90. Not indexed.',
    example: [13.4, 52.5],
    isIndexed: false,
  }
  return field<readonly number[], A, typeof options>(access, schema, 'point', options, (sent) => {
    const point = pointOf(sent)
    return point === undefined ? refuse(RULE) : accept(point)
  })
}

/** Undefined unless the value is a longitude and a latitude. -0 becomes 0. */
export function pointOf(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [longitude, latitude] = value as readonly unknown[]
  return isWithin(longitude, 180) && isWithin(latitude, 90)
    ? [longitude + 0, latitude + 0]
    : undefined
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && value >= -most && value <= most
}
