// The size and the placeholder of a new picture, measured before the commit that stores them in its version.

import { CmsError } from '../../base/errors.ts'
import type { PictureFacts } from '../../pictures/picture-job.ts'
import { PICTURE_TYPES } from '../../shared/picture-parameters.ts'
import type { Sealed } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { SharedBytes } from './versions.ts'

/** A process that measures may be ended from outside. A picture that ends it by itself is not measured again. */
const ATTEMPTS = 2

/** The bytes with their facts, if they are a picture that can be measured. A save never fails because of a picture. */
export async function withFacts(
  services: Pick<Context, 'contents' | 'pictures'>,
  fileId: number,
  bytes: Sealed,
): Promise<SharedBytes> {
  const { sniffedType: type } = bytes
  if (type === undefined || !PICTURE_TYPES.includes(type)) return bytes
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ...bytes, picture: await measure(services, fileId, { ...bytes, type }) }
    } catch (error) {
      const isKilled = error instanceof CmsError && error.code === 'unavailable'
      if (!isKilled || attempt === ATTEMPTS) return bytes
    }
  }
}

async function measure(
  { contents, pictures }: Pick<Context, 'contents' | 'pictures'>,
  fileId: number,
  { uid, type, sizeBytes, inline }: Sealed & { readonly type: string },
): Promise<PictureFacts | undefined> {
  const content = inline === undefined ? await contents.open({ fileId, uid }) : undefined
  const chunks = (): AsyncIterable<Buffer> | readonly Uint8Array[] =>
    content?.chunks() ?? [inline ?? new Uint8Array()]
  try {
    return await pictures.measure(type, { sizeBytes, chunks })
  } finally {
    await content?.close()
  }
}
