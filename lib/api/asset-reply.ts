// The response with a script or style sheet of our own pages. The URL changes with the content, so clients may cache the
// response forever.

import type { IncomingMessage } from 'node:http'
import type { Asset } from '../docs/assets.ts'
import { CmsError } from '../base/errors.ts'
import { acceptedCoding, acceptsCoding, type Coding } from '../http/accept-encoding.ts'
import type { Reply } from '../http/reply.ts'

export function assetReply(asset: Asset | undefined, { headers }: IncomingMessage): Reply {
  if (asset === undefined) throw new CmsError('not-found', 'There is no such file here.')
  const coding = codingFor(asset, headers['accept-encoding'])
  return {
    status: 200,
    headers: {
      'content-type': asset.mediaType,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
    body: bytesOf(asset, coding),
  }
}

function codingFor({ brotli }: Asset, header: string | undefined): Coding | undefined {
  const preferred = header === undefined ? undefined : acceptedCoding(header)
  if (preferred !== 'br' || brotli !== undefined) return preferred
  return acceptsCoding(header, 'gzip') ? 'gzip' : undefined
}

function bytesOf({ bytes, gzipped, brotli }: Asset, coding: Coding | undefined): Buffer {
  if (coding === 'gzip') return gzipped
  return (coding === 'br' ? brotli : undefined) ?? bytes
}
