// Bodies of actions, such as rotate, restore and bulk deletes, which have few or no fields.

import { refuseField, requireObject } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Request } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reads the body, which may be missing if no field is required. */
export async function readActionBody(
  request: Request,
  known: readonly string[],
): Promise<JsonObject> {
  const given = await request.json(undefined, true)
  const body = requireObject(given === undefined ? {} : given)
  const rule = ruleFor(known)
  for (const name of Object.keys(body))
    if (!known.includes(name)) refuseField(name, `is not known here; ${rule}`)
  return body
}

function ruleFor(known: readonly string[]): string {
  if (known.length === 0) return 'send no body'
  return `the only ${known.length === 1 ? 'field is' : 'fields are'} ${known.join(', ')}`
}

/** The field as a whole number from 1; undefined if it is missing or null. */
export function readWhole(body: Fields, field: string): number | undefined {
  const value = body[field] ?? undefined
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) > 0))
    return value as number | undefined
  return refuseField(field, 'must be a whole number from 1')
}

/** The field as a boolean; false if it is missing or null. */
export function readBoolean(body: Fields, field: string): boolean {
  const value = body[field] ?? false
  return typeof value === 'boolean' ? value : refuseField(field, 'must be true or false')
}
