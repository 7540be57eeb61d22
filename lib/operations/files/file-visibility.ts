// The shown form of a file: with its path and its text; callers that may only view do not see drafts of a live file.

import { grantsAt, holdsEverywhere } from '../../auth/grants.ts'
import { type Grants, seesDrafts, seesFaults } from '../../auth/key-role.ts'
import { CmsError, isNotFound } from '../../base/errors.ts'
import {
  type AssetFile,
  assetFile,
  assetFileVersion,
  type AssetFileVersion,
  LATER_FIELDS,
  stateOf,
} from '../../schema/asset-file.ts'
import { hasSchedule, NO_FAULT, NO_SCHEDULE, withSchedule } from '../../schema/file-schedule.ts'
import { laterFields, pickFields } from '../../schema/record.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { PATH_MEMBER_BYTES } from '../present.ts'
import { seenInFolder, type Visibility, type TakePage } from '../visibility.ts'
import { addressName } from './addresses.ts'
import { contentName, requireStillThere, requireVersion } from './versions.ts'

/** The fields that maskDraft changes. */
const MASKED = new Set(
  ['name', 'type', 'title', 'description', 'size', 'sha256', 'mime_type'].concat(LATER_FIELDS),
)

const OF_SCHEDULE: ReadonlySet<string> = new Set(Object.keys(NO_SCHEDULE))

const STATE_MEMBER_BYTES = ',"state":"published"'.length
const SCHEDULE_BYTES = JSON.stringify(NO_SCHEDULE).length

export const fileVisibility: Visibility<AssetFile> = {
  object: assetFile,
  seen: seenInFolder(assetFile),
  derive:
    ({ reader }, visible) =>
    (file) => ({
      // Records of earlier builds lack these fields.
      ...(withSchedule(file) !== file && NO_SCHEDULE),
      ...(pinsOf(file) === undefined && NO_PINS),
      ...laterFields(file, LATER_FIELDS),
      ...(wasPublished(file) === undefined && NOT_KNOWN),
      state: stateOf(file),
      path: `${visible.pathOf(file.parent_category_id)}/${addressName(reader, file)}`,
    }),
  mask: ({ reader, caller }, visible) =>
    holdsEverywhere(caller, 'modify') && holdsEverywhere(caller, 'stage')
      ? undefined
      : (file) => maskFile(reader, file, visible.grantsAt(file.parent_category_id)),
  masked: [
    { fields: MASKED, row: { index: 'state', value: 'changed' } },
    { fields: OF_SCHEDULE, row: { index: 'scheduled', value: true } },
  ],
  // A schedule changes the revision, so the revision is hidden from keys that do not see schedules.
  isTaggedByRevision:
    ({ reader, caller }) =>
    (file) =>
      seesDrafts(grantsAt(reader, caller, file.parent_category_id)),
  pathBytes: (visible) => (file) => {
    const { parent_category_id: folderId, name } = file
    const pathBytes = visible.pathBytesOf(folderId) + Buffer.byteLength(JSON.stringify(name))
    const missingBytes = withSchedule(file) === file ? 0 : SCHEDULE_BYTES
    return pathBytes + PATH_MEMBER_BYTES + STATE_MEMBER_BYTES + missingBytes
  },
  addressField: 'url',
  attached: { field: 'pageContent', read: readPage, readAll: readPages },
}

/** Hides drafts and schedules from callers who may only view, and faults from callers who may not publish or stage. */
function maskFile(
  reader: Pick<Reader, 'get'>,
  file: AssetFile,
  held: Grants,
): JsonObject | undefined {
  if (!seesDrafts(held)) {
    const draft = maskDraft(reader, file)
    const hidden = {
      ...((draft !== undefined || isNoted(file)) && NO_NOTE),
      ...(hasSchedule(file) && NO_SCHEDULE),
      ...(pinsOf(file) && NO_PINS),
    }
    return Object.keys(hidden).length === 0 ? draft : { ...draft, ...hidden }
  }
  return hasSchedule(file) && !seesFaults(held) ? NO_FAULT : undefined
}

const NO_NOTE = Object.freeze({ version_note: null })

/** Undefined in records of earlier builds. */
function isNoted({ version_note: note }: AssetFile): boolean {
  return typeof note === 'string'
}

const NO_PINS = Object.freeze({ pinned_versions: null })

/** Undefined in records of earlier builds. */
function pinsOf({ pinned_versions: pins }: AssetFile): readonly number[] | null | undefined {
  return pins
}

/** Undefined in records of earlier builds. */
function wasPublished({ was_published: was }: AssetFile): boolean | null | undefined {
  return was
}

const NOT_KNOWN = Object.freeze({ was_published: null })

/** The fields of the live version; undefined if the latest version is live, or none is. */
function maskDraft(reader: Pick<Reader, 'get'>, file: AssetFile): JsonObject | undefined {
  const { asset_file_id: id, live_version: live, version } = file
  if (live === null || live === version) return undefined
  const shown = reader.get(assetFileVersion, id, live)?.value
  if (shown === undefined) return undefined
  const { type, title, description, size, sha256, mime_type } = shown
  const later = pickFields({ ...shown }, LATER_FIELDS)
  const name = addressName(reader, file)
  return { name, type, title, description, ...later, size, sha256, mime_type }
}

/**
 * Returns the text of a page as a JSON string. Callers who may change or show the file get the latest version, other
 * callers the live version. Returns `null` if there is no text, or no memory for it.
 */
async function readPage(
  context: Context,
  stored: Stored<AssetFile>,
  takePage?: TakePage,
): Promise<string | Uint8Array> {
  const file = stored.value
  const held = grantsAt(context.records, context.caller, file.parent_category_id)
  const number = seesDrafts(held) ? file.version : file.live_version
  if (number === null) return 'null'

  const version = requireVersion(context.records, file.asset_file_id, number)
  if (!version.is_text || version.size > context.limits.pageBytes) return 'null'
  return takePage?.(version.size) === false ? 'null' : encodedPage(context, version)
}

export async function encodedPage(
  context: Context,
  version: AssetFileVersion,
): Promise<string | Uint8Array> {
  const { size: sizeBytes, sha256 } = version
  const { pageJsonBytes: maxBytes } = context.limits
  const expected = { sizeBytes, sha256, maxBytes }
  const encoded = await context.contents.encode(contentName(version), expected)
  if (encoded !== undefined) return encoded
  await requireStillThere(context, version.asset_file_id, [version.version])
  throw new CmsError(
    'content-damaged',
    `The bytes of version ${version.version} differ from the saved bytes.`,
  )
}

/** The pages of a list must fit into memory together, because the list is answered as one text. */
async function* readPages(
  context: Context,
  records: readonly Stored<AssetFile>[],
  takePage?: TakePage,
): AsyncGenerator<string | Uint8Array> {
  requireModestPages(context, records)
  const { listPageBytes, pageJsonBytes, pageBytes } = context.limits
  const slice = openTimeSlice()
  let jsonBytes = 0
  for (const stored of records) {
    const page = await readListed(context, stored, takePage)
    jsonBytes += page.length
    if (jsonBytes > listPageBytes + pageJsonBytes - pageBytes) throw tooManyPages(context, 'more')
    yield page
    if (slice.isOver(page.length)) await slice.next()
  }
}

/** A file that was deleted since it was found counts as a file without a text. */
async function readListed(
  context: Context,
  stored: Stored<AssetFile>,
  takePage?: TakePage,
): Promise<string | Uint8Array> {
  try {
    return await readPage(context, stored, takePage)
  } catch (error) {
    if (isNotFound(error)) return 'null'
    throw error
  }
}

function requireModestPages({ limits }: Context, records: readonly Stored<AssetFile>[]): void {
  const sizes = records.map((stored) => stored.value.size)
  const total = sizes
    .filter((size) => size <= limits.pageBytes)
    .reduce((sum, size) => sum + size, 0)
  if (total > limits.listPageBytes) throw tooManyPages({ limits }, `${total} bytes`)
}

/** Applies to JSON too, where one byte of a text can become six. */
function tooManyPages({ limits }: Pick<Context, 'limits'>, found: string): CmsError {
  return new CmsError(
    'too-large',
    `The pages of this list have ${found} together; a list returns at most ${limits.listPageBytes} bytes of pages. Request fewer files with length, or read the files one by one.`,
  )
}
