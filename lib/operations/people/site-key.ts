// The site key, created at the first start of a version that uses it.

import { randomBytes } from 'node:crypto'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import { siteKey } from '../../schema/site-key.ts'
import type { Records } from '../../storage/port.ts'

const KEY_BYTES = 32
const NOT_WRITTEN: ReadonlySet<ErrorCode> = new Set(['disk-full', 'read-only'])

/**
 * On a full disk or a read-only site, uses a temporary key: reads work, and only cursors become invalid at the next
 * start.
 */
export async function requireSiteKey(records: Records): Promise<Uint8Array> {
  const secret = randomBytes(KEY_BYTES).toString('base64')
  try {
    const stored =
      records.get(siteKey, 1) ??
      (await records.commit((unit) => unit.get(siteKey, 1) ?? unit.put(siteKey, [1], { secret })))
    return Buffer.from(stored.value.secret, 'base64')
  } catch (error) {
    if (!(error instanceof CmsError) || !NOT_WRITTEN.has(error.code)) throw error
    return Buffer.from(secret, 'base64')
  }
}
