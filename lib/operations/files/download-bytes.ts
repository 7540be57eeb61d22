// Opens the bytes of a download, and verifies them against their hash.

import { createHash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import type { Lent, OpenContent } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Download } from './downloads.ts'
import { contentName, requireStillThere } from './versions.ts'

/** Content up to this size is read completely and compared with its hash before the first byte is sent. */
const WHOLE_BYTES = 1024 * 1024

export type Opened =
  | { readonly kind: 'whole'; readonly lent: Lent }
  | { readonly kind: 'stream'; readonly content: OpenContent }

/**
 * Opens the bytes; throws content-damaged if they differ from the saved ones. The hash is compared at the first
 * download and again after a day, the size at each download.
 */
export async function openDownload(
  context: Context,
  { version, form }: Pick<Download, 'version' | 'form'>,
): Promise<Opened> {
  if (form !== undefined)
    return { kind: 'whole', lent: { bytes: form, giveBack: undefined, isFinal: true } }
  if (version.damaged) return refuseDamaged(context, version)
  const { verified } = context
  const { uid, size: sizeBytes, sha256 } = version
  const isVerified = verified.has(uid)
  if (sizeBytes <= WHOLE_BYTES) {
    const expected = { sizeBytes, sha256, isVerified }
    const lent = await context.contents.lend(contentName(version), expected)
    if (lent === undefined) return refuseDamaged(context, version)
    if (!isVerified && lent.isFinal) verified.set(uid, true)
    return { kind: 'whole', lent }
  }

  const content = await context.contents.open(contentName(version))
  if (content === undefined) return refuseDamaged(context, version)
  if (content.sizeBytes === sizeBytes)
    return { kind: 'stream', content: isVerified ? content : verifying(context, version, content) }
  await content.close()
  return refuseDamaged(context, version)
}

/**
 * Path of the bytes below the data directory, for a proxy that sends them: only if they are a file whose hash was
 * verified lately. Its size is compared now.
 */
export async function findPlace(
  { contents, verified }: Context,
  version: AssetFileVersion,
): Promise<string | undefined> {
  const name = contentName(version)
  const place = verified.has(version.uid) && !version.damaged ? contents.placeOf(name) : undefined
  if (place === undefined) return undefined
  const content = await contents.open(name)
  await content?.close()
  return content?.sizeBytes === version.size ? place : undefined
}

/** Hashes complete content while it is sent; a range cannot be verified. */
function verifying(
  { verified }: Context,
  { uid, sha256 }: AssetFileVersion,
  content: OpenContent,
): OpenContent {
  const { sizeBytes } = content
  return {
    ...content,
    chunks: (range) =>
      range === undefined
        ? verifiedChunks({
            chunks: content.chunks(),
            sizeBytes,
            sha256,
            onVerified: () => void verified.set(uid, true),
          })
        : content.chunks(range),
  }
}

interface VerifiedSource {
  /** Each chunk is valid until the next is requested. */
  readonly chunks: AsyncIterable<Buffer>
  /** Total size, not 0: the chunk that reaches the size is the last. */
  readonly sizeBytes: number
  readonly sha256: string
  /** Called when all bytes were verified. */
  readonly onVerified: () => void
}

/**
 * Prevents complete answers with wrong bytes: large content is hashed while it is sent, and the last chunk is yielded
 * only if the hash matches. Otherwise reading throws and the connection is closed, so that no client takes the
 * partial content for complete.
 */
async function* verifiedChunks({
  chunks,
  sizeBytes,
  sha256,
  onVerified,
}: VerifiedSource): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let missingBytes = sizeBytes

  for await (const chunk of chunks) {
    hash.update(chunk)
    missingBytes -= chunk.length
    if (missingBytes <= 0) {
      if (missingBytes < 0 || hash.digest('hex') !== sha256)
        throw new CmsError('content-damaged', 'The bytes differ from the saved bytes.')
      onVerified()
    }
    yield chunk
  }
}

async function refuseDamaged(
  context: Context,
  { asset_file_id: id, version }: AssetFileVersion,
): Promise<never> {
  await requireStillThere(context, id, [version])
  const detail = `The bytes of version ${version} of asset_file ${id} differ from the saved bytes. Publish another version, or restore a backup.`
  throw new CmsError('content-damaged', detail)
}
