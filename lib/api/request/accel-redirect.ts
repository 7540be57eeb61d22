// Downloads that nginx sends itself (--accel-redirect). The server checks access and conditions and sets the headers. The
// response has no body and names the internal location of the file (X-Accel-Redirect). nginx handles ranges. The proxy
// must identify itself by a request header: any other client, such as an export on the same machine, would mistake the
// empty response for an empty file.

import type { IncomingHttpHeaders } from 'node:http'
import { VARIED_BYTES } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'
import { findPlace } from '../../operations/files/download-bytes.ts'
import type { Download } from '../../operations/files/downloads.ts'

/** The header has the name that Rack uses. nginx sets it and overwrites the value of the client. */
const ASKED_BY = 'x-sendfile-type'

/** Whether the client is a proxy that sends files itself. */
export function takesRedirect(headers: IncomingHttpHeaders): boolean {
  return headers[ASKED_BY]?.toString().toLowerCase() === 'x-accel-redirect'
}

/** nginx would evaluate these conditions against its own ETag and date of the file, which differ from ours. */
const OWN_CONDITIONS = ['if-match', 'if-unmodified-since'] as const

/** Texts up to this size are compressed by this server if the client accepts it. */
const COMPRESSED_BYTES = 1024 * 1024

export function mayRedirect(
  { accelPrefix }: Context,
  headers: IncomingHttpHeaders,
  { size, isText }: { readonly size: number; readonly isText: boolean },
): boolean {
  if (accelPrefix === undefined || !takesRedirect(headers)) return false
  if (OWN_CONDITIONS.some((name) => headers[name] !== undefined)) return false
  // nginx would compare the date with the modification time of the stored file.
  if (headers['if-range']?.includes('"') === false) return false
  return !isText || size < VARIED_BYTES || size > COMPRESSED_BYTES
}

/** The header that hands the file over; undefined if the content is not a file yet or its hash was not verified recently. */
export async function redirectTo(
  context: Context,
  { version }: Download,
): Promise<{ readonly 'x-accel-redirect': string } | undefined> {
  const { accelPrefix } = context
  const place = accelPrefix === undefined ? undefined : await findPlace(context, version)
  return place === undefined ? undefined : { 'x-accel-redirect': `${accelPrefix}${place}` }
}
