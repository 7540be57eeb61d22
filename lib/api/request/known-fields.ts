// A body that is no record: an object with a few fields, of which one may be a password unless another kind is said.

import { refuseField, requireObject } from '../../schema/check.ts'
import type { BodyKind, Request } from './request.ts'

/** What is not known is refused: passed over, a misspelt field would be a surprise. */
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
