// Reads a body that is not a record: an object with a few fields. The default kind is for bodies with a password.

import { refuseField, requireObject } from '../../schema/check.ts'
import type { BodyKind, Request } from './request.ts'

/** Rejects unknown fields, because silently ignoring a misspelt field would surprise the client. */
export async function readKnownFields(
  request: Request,
  known: readonly string[],
  limit: BodyKind = 'credentials',
): Promise<Readonly<Record<string, unknown>>> {
  const body = requireObject(await request.json(limit))
  for (const name of Object.keys(body))
    if (!known.includes(name)) refuseField(name, `is not known here; known are ${known.join(', ')}`)
  return body
}
