// Bodies of actions on a record, such as rotate and restore, which have few or no fields.

import { refuseField, requireObject } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Request } from './request.ts'

/** Reads the body, which may be missing if no field is required. */
export async function readActionBody(
  request: Request,
  known: readonly string[],
): Promise<JsonObject> {
  const given = await request.json(undefined, true)
  const body = requireObject(given === undefined ? {} : given)
  const rule = known.length === 0 ? 'send no body' : `the only field is ${known.join(', ')}`
  for (const name of Object.keys(body))
    if (!known.includes(name)) refuseField(name, `is not known here; ${rule}`)
  return body
}
