// Builds the key of a content in a bucket: the path that the content would have in a data directory.

import type { ContentName } from '../storage/port.ts'

export function contentKey(prefix: string): (name: ContentName) => string {
  return ({ fileId, uid }) => `${prefix}${uid.slice(0, 2)}/${fileId}.${uid}`
}
