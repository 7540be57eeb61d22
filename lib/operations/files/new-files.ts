// Creates several files in one request: all or none, in one commit. A commit is expensive and each file in it is
// cheap, so this is the fast way to create many small files.

import { CmsError } from '../../base/errors.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { refuseField } from '../../schema/check.ts'
import { foldName } from '../../schema/names.ts'
import type { Stored } from '../../schema/values.ts'
import { checkNewFile, type NewFile, planCreate, requireCreator } from './file-plans.ts'
import type { Context } from '../context.ts'
import { commitBytes, removeBytes, sealPage } from './page-bytes.ts'
import { newId } from '../new-id.ts'

type Checked = ReturnType<typeof checkNewFile>

/** In the order of the bodies. A refusal names the place in the list and applies to the whole list. */
export async function createFiles(
  context: Context,
  bodies: readonly unknown[],
): Promise<readonly Stored[]> {
  const names = new Set<string>()
  const checked = bodies.map((body, index) => atPlace(index, () => checkNew(context, body, names)))
  const files = await sealAll(context, checked)

  return commitBytes(context, files, (unit) =>
    files.map((file, index) => atPlace(index, () => planCreate(unit, context, file))),
  )
}

/**
 * `names` are the earlier names of the list. Names in the folder are checked only in the commit: one lookup per file
 * here would be an eighth of the whole work.
 */
function checkNew(context: Context, body: unknown, names: Set<string>): Checked {
  const checked = checkNewFile(body)
  const { fields: values } = checked
  requireCreator(context.records, context.caller, values)
  const name = `${String(values['parent_category_id'])}/${foldName(String(values['name']))}`
  if (names.has(name)) refuseField('name', 'is in the list twice for the same folder')
  names.add(name)
  return checked
}

async function sealAll(context: Context, checked: readonly Checked[]): Promise<readonly NewFile[]> {
  const files: NewFile[] = []
  for (const [index, { fields, text }] of checked.entries()) {
    const id = await newId(context.records, assetFile.recordType)
    try {
      const page = { fileId: id, type: String(fields['type']), text }
      files.push({ id, fields, bytes: await sealPage(context, page) })
    } catch (error) {
      await removeBytes(context, files)
      throw placed(error, index)
    }
  }
  return files
}

function atPlace<T>(index: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw placed(error, index)
  }
}

function placed(error: unknown, index: number): unknown {
  if (!(error instanceof CmsError)) return error
  const { errors = [] } = error.facts
  return new CmsError(error.code, `Item /${index} of the list: ${error.message}`, {
    ...error.facts,
    errors: errors.map((fault) => ({ ...fault, pointer: `/${index}${fault.pointer}` })),
  })
}
