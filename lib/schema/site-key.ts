// Random bytes that only the site knows. They encrypt data that clients receive and send back.

import type { RecordType } from './values.ts'

/** Key: [1]. */
export interface SiteKey {
  /** Base64 of 32 bytes. */
  readonly secret: string
}

export const siteKey: RecordType<SiteKey> = { name: 'site_key', indexes: [] }
