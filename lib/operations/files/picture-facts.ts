// The size and the placeholder of a new picture, measured before the commit that stores them in its version.

import { PICTURE_TYPES } from '../../shared/picture-parameters.ts'
import type { Sealed } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { SharedBytes } from './versions.ts'

/** The bytes with their facts, if they are a picture that can be measured. A save never fails because of a picture. */
export async function withFacts(
  { contents, pictures }: Pick<Context, 'contents' | 'pictures'>,
  fileId: number,
  bytes: Sealed,
): Promise<SharedBytes> {
  const { sniffedType: type, sizeBytes, inline, uid } = bytes
  if (type === undefined || !PICTURE_TYPES.includes(type)) return bytes
  const content = inline === undefined ? await contents.open({ fileId, uid }) : undefined
  const chunks = (): AsyncIterable<Buffer> | readonly Uint8Array[] =>
    content?.chunks() ?? [inline ?? new Uint8Array()]
  try {
    const picture = await pictures.measure(type, { sizeBytes, chunks })
    return { ...bytes, picture }
  } catch {
    return bytes
  } finally {
    await content?.close()
  }
}
