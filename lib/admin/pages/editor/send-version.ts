// The requests of a save: create a version, and optionally publish or stage it.

import { type Api, recordOf } from '../../client/api.ts'
import { newRequestKey } from '../../client/request-key.ts'
import { type Base, type Latest, storedOf } from './file-text.ts'

export type Want = 'save' | 'stage' | 'publish'

export interface Sent {
  readonly base: Base
  readonly text: string
  readonly want: Want
}

export interface SendVersion {
  /** Returns a function that sends the request, with the same key each time. */
  readonly prepare: (sent: Sent) => () => Promise<Latest>
}

export function openSendVersion(api: Api, id: number): SendVersion {
  return {
    prepare({ base, text, want }) {
      const header = { 'If-Match': base.etag, 'Idempotency-Key': newRequestKey() }
      const params = { path: { id }, header }
      return async () => {
        const { record, etag } =
          want !== 'save' && text === base.text
            ? await move(want)
            : await recordOf(
                api.PATCH('/asset_file/{id}', {
                  params,
                  body: {
                    pageContent: storedOf(text, base),
                    ...(want !== 'save' && { fileState: want }),
                  },
                }),
              )
        const { version } = record
        return {
          record,
          base: { ...base, text, version, etag, hasMixedEnds: false },
        }
      }

      /** Moves the pointer to an existing version. */
      function move(to: 'stage' | 'publish') {
        if (to === 'stage') return recordOf(api.POST('/asset_file/{id}/stage', { params }))
        const query = { version: base.version }
        return recordOf(api.POST('/asset_file/{id}/publish', { params: { ...params, query } }))
      }
    },
  }
}
