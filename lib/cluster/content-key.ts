// Under which key of a bucket a content lies: the path that it would have in a data directory.

import type { ContentName } from '../storage/port.ts'

export function contentKey(prefix: string): (name: ContentName) => string {
  return ({ fileId, uid }) => `${prefix}${uid.slice(0, 2)}/${fileId}.${uid}`
}
