// The requests of a save: a version, which goes live or on stage with it where that is wanted.

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
  /** Gives what sends it, each time under the same key. */
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

      /** The version is there already. */
      function move(to: 'stage' | 'publish') {
        if (to === 'stage') return recordOf(api.POST('/asset_file/{id}/stage', { params }))
        const query = { version: base.version }
        return recordOf(api.POST('/asset_file/{id}/publish', { params: { ...params, query } }))
      }
    },
  }
}
