// Initial contents of a data directory: the folders that the API promises, and the user admin. Keys and passwords are
// created by the operator.

import { randomBytes } from 'node:crypto'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import {
  assetCategory,
  MODULES_CATEGORY_ID,
  ROOT_CATEGORY_ID,
} from '../../schema/asset-category.ts'
import { buildRecord } from '../../schema/record.ts'
import { siteKey } from '../../schema/server-records.ts'
import { siteDefaults } from '../../schema/trash.ts'
import { user } from '../../schema/user.ts'
import type { Reader, Records } from '../../storage/port.ts'

export const ADMIN_NAME = 'admin'
/** Days in the trash. Sites of earlier versions keep no trash unless the operator asks for it. */
const NEW_SITE_TRASH_DAYS = 30

/** Does nothing if the directory is not empty. */
export async function prepareSite(records: Records, now: Date): Promise<void> {
  const isThere = (reader: Pick<Reader, 'get'>): boolean =>
    reader.get(assetCategory.recordType, ROOT_CATEGORY_ID) !== undefined
  if (isThere(records)) return

  const origin = { owner: ADMIN_NAME, now: now.toISOString() }
  const folder = (id: number, name: string, parent: number | null) =>
    buildRecord(assetCategory, { name, parent_category_id: parent }, { ...origin, id })
  const admin = buildRecord(
    user,
    { name: ADMIN_NAME, role: 'admin', category_roles: [], status: 'active' },
    { ...origin, id: 1 },
  )

  await records.commit((unit) => {
    // Another process of the same site may have started at the same moment.
    if (isThere(unit)) return
    unit.put(assetCategory.recordType, [ROOT_CATEGORY_ID], folder(ROOT_CATEGORY_ID, 'Main', null))
    unit.put(
      assetCategory.recordType,
      [MODULES_CATEGORY_ID],
      folder(MODULES_CATEGORY_ID, 'Modules', ROOT_CATEGORY_ID),
    )
    unit.put(user.recordType, [1], admin)
    unit.put(siteDefaults, [1], { trash_days: NEW_SITE_TRASH_DAYS })
  })
}

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
