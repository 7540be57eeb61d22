// Example problem responses, one for each code of the error table.

import { type ErrorCode, PROBLEMS } from '../base/errors.ts'

const REQUEST_ID = '4f7c1f0e-6d0a-4f54-9d5b-0f7a4b6c2f11'

/** Details that name a record or field, and the additional members of single problems. */
const SHOWN: Readonly<Partial<Record<ErrorCode, object>>> = {
  'bad-json': {
    detail:
      'A comma or the end of the array or object is missing, at byte 12: check the JSON there.',
  },
  'bad-qry': {
    detail: 'qry.nmae is no field to search by; did you mean "name"? Known are name, title, owner.',
  },
  'grant-missing': {
    detail: 'The key lacks the grant "create" in every folder.',
    grant: 'create',
  },
  'not-found': { detail: 'The record does not exist, or the key may not see it.' },
  'name-taken': {
    detail:
      'The name "hello.html" is taken in this folder by asset_file_id 2. Update that record, or choose another name.',
    errors: [{ pointer: '/name', detail: 'is taken' }],
    asset_file_id: 2,
  },
  'address-taken': {
    detail:
      'A live file in the folder 36 already has the address /file/36/logo.html. Choose another name.',
    errors: [{ pointer: '/name', detail: 'is taken' }],
  },
  'not-unique': {
    detail: '/code must be unique, and datatable_entry_id 1 has the same value.',
    errors: [
      {
        pointer: '/code',
        detail: 'must be unique, and datatable_entry_id 1 has the same value',
      },
    ],
  },
  'invalid-content': {
    detail: '/nmae is not a field of asset_file; did you mean "name"?',
    errors: [{ pointer: '/nmae', detail: 'is not a field of asset_file; did you mean "name"?' }],
  },
}

/** `prefix` is the path of the base URL. */
export function exampleProblem(code: ErrorCode, prefix: string): object {
  const { status, title, explanation } = PROBLEMS[code]
  return {
    type: `${prefix}/problems/${code}`,
    title,
    status,
    detail: explanation,
    code,
    request_id: REQUEST_ID,
    ...SHOWN[code],
  }
}
