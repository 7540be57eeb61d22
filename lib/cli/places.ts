// Parses the places of migrate and check: a data directory, or a cluster given by its two addresses. Missing
// parts are read from the variables of a node. Passwords belong there, because everybody who lists processes
// can see command lines.

import { CmsError } from '../base/errors.ts'

export type Place =
  | { readonly kind: 'directory'; readonly dataDir: string }
  | {
      readonly kind: 'cluster'
      /** Variables that replace those of the environment. */
      readonly given: Readonly<Record<string, string | undefined>>
      readonly hasPassword: boolean
    }

/** Names the cluster of the environment. */
const CLUSTER = 'cluster'

export function parsePlace(flag: '--from' | '--to' | 'check', words: readonly string[]): Place {
  const isOfCluster = words.map(
    (word) => word === CLUSTER || /^(?:postgres(?:ql)?|s3):\/\//.test(word),
  )
  const [first = ''] = words
  if (words.length === 1 && isOfCluster[0] === false) return { kind: 'directory', dataDir: first }
  if (isOfCluster.includes(false))
    throw refused(`${flag} takes one directory, or a cluster: postgres://… and s3://…`)
  const database = words.filter((word) => word.startsWith('postgres'))
  const stores = words.filter((word) => word.startsWith('s3:'))
  if (database.length > 1 || stores.length > 1)
    throw refused(
      `${flag} takes one database and one bucket. Put several hosts into one address, separated by ",".`,
    )
  return {
    kind: 'cluster',
    given: { ...database.map((url) => ({ DATABASE_URL: url }))[0], ...stores.map(storeOf)[0] },
    hasPassword: /^postgres(?:ql)?:\/\/[^@/?]*:[^@/?]+@/.test(database[0] ?? ''),
  }
}

function storeOf(word: string): Readonly<Record<string, string | undefined>> {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(word) ?? []
  if (bucket === undefined) throw refused('Give the bucket as s3://BUCKET or s3://BUCKET/PREFIX/.')
  return { S3_BUCKET: bucket, S3_PREFIX: prefix === '' ? undefined : prefix }
}

function refused(detail: string): CmsError {
  return new CmsError('bad-request', detail)
}
