// The largest batches of operations on files.

import { MAX_BATCH, MAX_JOINT_BATCH } from '../../../lib/shared/limits.ts'
import type { Call } from '../../helpers/server.ts'
import { type Asks, LIST_BYTES, PROBLEM_BYTES } from './ask.ts'

const batch = (mode: string, ids: readonly number[], op: string): Call => ({
  json: { mode, operations: ids.map((id) => ({ op, asset_file_id: id })) },
})

export const BATCH_ASKS: Asks = {
  'POST /api/v2/batch': [
    {
      what: 'as many operations as one commit may have',
      path: () => '/api/v2/batch',
      call: ({ files: ids }) => batch('all', ids.slice(0, MAX_JOINT_BATCH), 'unpublish'),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'as many operations as one request may have, each by itself',
      path: () => '/api/v2/batch',
      call: ({ files: ids }) => batch('each', ids.slice(0, MAX_BATCH), 'unpublish'),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'many refused operations',
      path: () => '/api/v2/batch',
      call: () => batch('each', Array(MAX_BATCH).fill(999_999_999), 'publish'),
      maxBytes: PROBLEM_BYTES,
    },
  ],
}
