// Downloads that nginx sends itself (--accel-redirect). The access, the conditions and the headers are ours; the answer
// has no body, and tells nginx under which internal location the file is (X-Accel-Redirect). Ranges are left to nginx.
// It tells by a header that it is nginx which asks: whoever else reaches the server, such as an export on the same
// machine, would take an empty answer for an empty file.

import type { IncomingHttpHeaders } from 'node:http'
import { VARIED_BYTES } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'
import { type Download, findPlace } from '../../operations/files/downloads.ts'

/** By the name that Rack has given it; nginx sets it, over what a client has sent. */
const ASKED_BY = 'x-sendfile-type'

/** Whether who asks is a proxy that sends files itself. */
export function takesRedirect(headers: IncomingHttpHeaders): boolean {
  return headers[ASKED_BY]?.toString().toLowerCase() === 'x-accel-redirect'
}

/** nginx compares these with what it knows of the file, which is not what we tell of it. */
const OWN_CONDITIONS = ['if-match', 'if-unmodified-since'] as const

/** Up to this size a text is compressed here, for who takes it so. */
const COMPRESSED_BYTES = 1024 * 1024

export function mayRedirect(
  { accelPrefix }: Context,
  headers: IncomingHttpHeaders,
  { size, isText }: { readonly size: number; readonly isText: boolean },
): boolean {
  if (accelPrefix === undefined || !takesRedirect(headers)) return false
  if (OWN_CONDITIONS.some((name) => headers[name] !== undefined)) return false
  // nginx compares a date with the time at which the file was written.
  if (headers['if-range']?.includes('"') === false) return false
  return !isText || size < VARIED_BYTES || size > COMPRESSED_BYTES
}

/** The header that hands the file over; undefined where the server has to send it: it is none yet, or not compared. */
export async function redirectTo(
  context: Context,
  { version }: Download,
): Promise<{ readonly 'x-accel-redirect': string } | undefined> {
  const { accelPrefix } = context
  const place = accelPrefix === undefined ? undefined : await findPlace(context, version)
  return place === undefined ? undefined : { 'x-accel-redirect': `${accelPrefix}${place}` }
}
