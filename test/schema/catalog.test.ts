// The schema that sites store and clients rely on: kinds of records, fields of objects, names of indexes. A
// row here changes only together with a migration for older sites and clients.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { assetFile, VERSION_FIELDS } from '../../lib/schema/asset-file.ts'
import { OBJECTS, RECORD_TYPES } from '../../lib/schema/catalog.ts'
import { checkCreate, checkUpdate } from '../../lib/schema/check.ts'
import type { ObjectType } from '../../lib/schema/object.ts'
import type { JsonObject } from '../../lib/schema/values.ts'
import { KINDS, ROWS } from './stored-kinds.ts'

/**
 * Name, who sets the field, kind and search, and further properties; allowed values; initial value unless
 * null.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  asset_category: [
    'asset_category_id assigned integer',
    'name required string indexed',
    'parent_category_id optional integer indexed nullable initial=1',
    'title optional string indexed nullable clearable',
    'description optional string nullable clearable',
    'public optional boolean nullable clearable',
    'public_since assigned date-time nullable clearable',
    'is_public assigned unsearched derived',
    'redirects optional unsearched nullable clearable',
    'site_headers optional unsearched nullable clearable',
    'layout_file_id optional integer nullable clearable',
    'keep_versions optional unsearched nullable clearable',
    'path assigned unsearched derived',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  asset_file: [
    'asset_file_id assigned integer',
    'name required string indexed',
    'type required string indexed',
    'parent_category_id required integer indexed',
    'pageContent optional unsearched derived nullable',
    'fileState optional string indexed nullable clearable of=publish,stage,',
    'title optional string indexed nullable clearable',
    'description optional string nullable clearable',
    'alt_text optional string nullable clearable',
    'focus optional string nullable clearable',
    'layout_file_id optional integer nullable clearable',
    'version_note optional unsearched nullable clearable',
    'version assigned integer indexed',
    'live_version assigned integer indexed nullable clearable',
    'staged_version assigned integer indexed nullable clearable',
    'state assigned string indexed derived of=draft,staged,published,changed',
    'size assigned integer indexed',
    'sha256 assigned string indexed',
    'mime_type assigned string indexed',
    'width assigned integer nullable clearable',
    'height assigned integer nullable clearable',
    'thumbhash assigned string nullable clearable',
    'was_published assigned boolean nullable clearable',
    'date_published assigned date-time indexed nullable clearable',
    'date_staged assigned date-time indexed nullable clearable',
    'publish_at optional date-time indexed nullable clearable',
    'publish_version assigned integer nullable clearable',
    'unpublish_at optional date-time indexed nullable clearable',
    'stage_at optional date-time indexed nullable clearable',
    'stage_version assigned integer nullable clearable',
    'schedule_failed_at assigned date-time indexed nullable clearable',
    'schedule_fault assigned unsearched nullable clearable',
    'pinned_versions optional unsearched nullable clearable',
    'path assigned unsearched derived',
    'url assigned string',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  file_group: [
    'file_group_id assigned integer',
    'name required string indexed',
    'title optional string indexed nullable clearable',
    'description optional string nullable clearable',
    'parent_category_id optional integer indexed initial=1',
    'asset_file_ids optional integers indexed nullable clearable initial=[]',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  datatable: [
    'datatable_id assigned integer',
    'name required string indexed',
    'parent_category_id optional integer indexed initial=12',
    'datatable_type optional string indexed nullable clearable of=Data,Form, initial="Data"',
    'title_field optional string indexed nullable clearable',
    'table_schema required string',
    'title optional string indexed nullable clearable',
    'description optional string nullable clearable',
    'columns optional unsearched clearable initial=[]',
    'public optional boolean initial=false',
    'public_columns optional unsearched nullable clearable',
    'public_filter optional unsearched nullable clearable',
    'public_since assigned date-time nullable clearable',
    'module_name assigned string indexed',
    'module_url assigned string',
    'entry_count assigned unsearched derived',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  calendar: [
    'calendar_id assigned integer',
    'name required string indexed',
    'parent_category_id optional integer indexed initial=12',
    'display_type optional string indexed nullable clearable of=Calendar,News,Forum,Photos,Landing Page,Other, initial="Calendar"',
    'time_zone optional string indexed nullable clearable initial="UTC"',
    'title_field optional string indexed nullable clearable',
    'table_schema optional string nullable clearable',
    'title optional string indexed nullable clearable',
    'description optional string nullable clearable',
    'columns optional unsearched clearable initial=[]',
    'public optional boolean initial=false',
    'public_columns optional unsearched nullable clearable',
    'public_filter optional unsearched nullable clearable',
    'public_since assigned date-time nullable clearable',
    'module_name assigned string indexed',
    'module_url assigned string',
    'entry_count assigned unsearched derived',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  user: [
    'user_id assigned integer',
    'name required string indexed',
    'display_name optional string nullable clearable',
    'role optional string indexed nullable clearable',
    'category_roles optional unsearched nullable clearable initial=[]',
    'role_grants assigned unsearched nullable clearable',
    'former_names assigned unsearched nullable clearable',
    'status optional string indexed nullable of=active,disabled, initial="active"',
    'email optional string indexed nullable clearable',
    'has_password assigned unsearched derived nullable clearable',
    'has_second_factor assigned unsearched derived nullable clearable',
    'date_link_expires assigned unsearched derived nullable clearable',
    'recovery_codes_left assigned unsearched derived nullable clearable',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  api_key: [
    'api_key_id assigned integer',
    'name required string indexed',
    'user_id optional integer indexed clearable',
    'grants optional unsearched nullable clearable',
    'asset_category_id optional integer indexed nullable clearable',
    'status optional string indexed nullable of=active,inactive, initial="active"',
    'date_expires optional date-time indexed nullable clearable',
    'hint assigned string',
    'made_by assigned integer nullable clearable',
    'date_signed_in assigned date-time nullable clearable',
    'state assigned unsearched derived of=active,inactive,user-disabled,expired',
    'state_reason assigned unsearched derived nullable clearable',
    'last_used assigned unsearched derived nullable clearable',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  role: [
    'role_id assigned integer',
    'name required string indexed',
    'description optional string nullable clearable',
    'grants required unsearched',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  webhook: [
    'webhook_id assigned integer',
    'name required string indexed',
    'url required string',
    'objects optional unsearched nullable clearable',
    'asset_category_id optional integer nullable clearable',
    'actions optional unsearched nullable clearable',
    'status optional string indexed nullable of=active,paused, initial="active"',
    'position assigned unsearched derived',
    'state assigned unsearched derived of=delivering,waiting,given_up',
    'last_error assigned unsearched derived nullable clearable',
    'date_delivered assigned unsearched derived nullable clearable',
    'date_retry assigned unsearched derived nullable clearable',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  comment: [
    'comment_id assigned integer',
    'target required string indexed',
    'text required string',
    'reply_to optional integer indexed nullable clearable',
    'resolved optional boolean indexed initial=false',
    'mentions assigned unsearched derived',
    'user_id assigned integer indexed',
    'date_added assigned date-time indexed',
    'date_modified assigned date-time indexed',
    'owner assigned string indexed',
  ],
  audit: [
    'audit_id assigned integer',
    'user_name assigned string nullable clearable',
    'user_id assigned integer nullable clearable',
    'api_key_id assigned integer nullable clearable',
    'api_key_name assigned string nullable clearable',
    'address assigned string nullable clearable',
    'request_id assigned string nullable clearable',
    'action assigned string of=create,update,delete,upload,publish,stage,unpublish,unstage,restore,schedule_failed,rotate,revoke,sign_in,sign_out',
    'object assigned string',
    'object_id assigned integer indexed',
    'last_object_id assigned integer',
    'count assigned integer',
    'module_id assigned integer nullable clearable',
    'version assigned integer nullable clearable',
    'fileState assigned string nullable clearable of=publish,stage,',
    'changed_fields assigned unsearched nullable clearable',
    'asset_category_id assigned integer nullable clearable',
    'previous_category_id assigned integer nullable clearable',
    'name assigned string nullable clearable',
    'path assigned string nullable clearable',
    'previous_name assigned string nullable clearable',
    'previous_path assigned string nullable clearable',
    'entries assigned integer nullable clearable',
    'schedule_fault assigned unsearched nullable clearable',
    'changes assigned unsearched nullable clearable',
    'date_added assigned date-time',
  ],
  trash: [
    'trash_id assigned integer',
    'object assigned string indexed of=asset_file,asset_category,file_group,datatable,calendar,datatable_entry,calendar_entry',
    'object_id assigned integer indexed',
    'module_id assigned integer indexed nullable clearable',
    'name assigned string indexed nullable clearable',
    'asset_category_id assigned integer indexed',
    'path assigned unsearched derived nullable clearable',
    'deleted_by assigned string indexed nullable clearable',
    'count assigned integer indexed',
    'size assigned integer indexed',
    'state assigned string indexed of=complete,deleting,restoring',
    'date_added assigned date-time indexed',
  ],
}

describe('the stored schema', () => {
  test('has exactly these fields of every object', () => {
    const found = Object.fromEntries(OBJECTS.map((object) => [object.name, rowsOf(object)]))
    assert.deepEqual(found, FIELDS)
  })

  test('has an identifier for every object, named after the object', () => {
    for (const { name, idField, searchable, recordType } of OBJECTS) {
      assert.deepEqual([idField, recordType.name], [`${name}_id`, name])
      const found = { name: idField, kind: 'integer', isIndexed: false, isId: true }
      assert.deepEqual(searchable.get(idField), found)
    }
  })

  test('has a label for the messages of every object', () => {
    assert.deepEqual(
      OBJECTS.map(({ label }) => label),
      [
        'asset category',
        'asset file',
        'file group',
        'datatable',
        'calendar',
        'user',
        'API key',
        'role',
        'webhook',
        'comment',
        'audit row',
        'trash item',
      ],
    )
  })

  test('a version is returned with its own fields, the fields of the file, and its pointers', () => {
    assert.equal(
      VERSION_FIELDS.join(' '),
      'asset_file_id version name type parent_category_id title description alt_text focus layout_file_id version_note width height thumbhash size sha256 mime_type date_added owner damaged is_live is_staged is_pinned',
    )
  })

  test('every kind of record has these identifiers and indexes', () => {
    assert.deepEqual(
      RECORD_TYPES.map(({ name, idCount = 1, indexes }) =>
        [name, idCount, ...indexes.map((index) => index.name)].join(' '),
      ),
      KINDS,
    )
  })

  test('an index has these rows for a record', () => {
    for (const [kind, name, record, rows] of ROWS) {
      const type = RECORD_TYPES.find((each) => each.name === kind)
      const index = type?.indexes.find((each) => each.name === name)
      assert.deepEqual(index?.rows(record), rows, `${kind} ${name} ${JSON.stringify(record)}`)
    }
  })
})

test('the examples of an object are valid bodies', () => {
  for (const object of OBJECTS) {
    const { create, update } = object.example ?? {}
    assert.equal(create === undefined, ['audit', 'trash'].includes(object.name))
    if (create === undefined) continue
    const record = checkCreate(object, create)
    assert.ok(Object.keys(create).length > 0)
    const told = object.example?.record as JsonObject
    // Identifier of the first new record. A new site already has its folders, whose numbers files share, and
    // its admin with a key.
    const first = { asset_category: 13, asset_file: 2, user: 2, api_key: 2 }[object.name] ?? 1
    assert.equal(told[object.idField], first, object.name)
    const folder = told['parent_category_id'] ?? record['parent_category_id']
    assert.equal(folder, record['parent_category_id'], object.name)
    assert.ok(Object.keys(checkUpdate(object, update, record)).length > 0)
  }
})

test('the example of a file has the size and the hash of its text', () => {
  const { create, update, record, changed } = assetFile.example ?? {}
  for (const [body, told] of [
    [create, record],
    [update, changed],
  ]) {
    const text = String((body as JsonObject)['pageContent'])
    const { size, sha256 } = told as JsonObject
    const found = createHash('sha256').update(text).digest('hex')
    assert.deepEqual([size, sha256], [Buffer.byteLength(text), found])
  }
})

test('index rows have as many values as the width of the index, and their records one identifier', () => {
  const record: JsonObject = {
    ...{ parent_category_id: 1, asset_category_id: 1, name: 'a', live_version: 1, made_by: 1 },
    ...{ keys: [1], versions: [{ addresses: null }] },
    places: [[1, 'a']],
    asset_file_ids: [1],
  }
  const wide = RECORD_TYPES.flatMap(({ name, idCount = 1, indexes }) =>
    indexes.flatMap(({ name: index, width, rows }) =>
      width === undefined ? [] : [{ name: `${name} ${index}`, idCount, width, rows: rows(record) }],
    ),
  )
  assert.ok(wide.length > 20)
  for (const { name, idCount, width, rows } of wide) {
    assert.equal(idCount, 1, name)
    for (const row of rows) assert.equal(row.length, width, name)
  }
})

function rowsOf({ fields, searchable }: ObjectType): readonly string[] {
  return Object.entries(fields).map(([name, field]) =>
    [
      name,
      field.access,
      searchable.get(name)?.kind ?? 'unsearched',
      ...(field.isIndexed ? ['indexed'] : []),
      ...(field.isStored ? [] : ['derived']),
      ...(field.isNullable ? ['nullable'] : []),
      ...(field.isClearable ? ['clearable'] : []),
      ...('enum' in field.schema ? [`of=${String(field.schema['enum'])}`] : []),
      ...(field.initial === null ? [] : [`initial=${JSON.stringify(field.initial)}`]),
    ].join(' '),
  )
}
