// What --from and --to of migrate, and check, name: a data directory, or a cluster by its two addresses. Whatever is not in an
// address is read from the variables that a node has: a password belongs there, as command lines are seen by all who
// list processes.

import { CmsError } from '../base/errors.ts'

export type Place =
  | { readonly kind: 'directory'; readonly dataDir: string }
  | {
      readonly kind: 'cluster'
      /** Variables that are given in place of those of the environment. */
      readonly given: Readonly<Record<string, string | undefined>>
      readonly hasPassword: boolean
    }

/** The cluster that the environment names, and nothing else. */
const CLUSTER = 'cluster'

export function parsePlace(flag: '--from' | '--to' | 'check', words: readonly string[]): Place {
  const isOfCluster = words.map(
    (word) => word === CLUSTER || /^(?:postgres(?:ql)?|s3):\/\//.test(word),
  )
  const [first = ''] = words
  if (words.length === 1 && isOfCluster[0] === false) return { kind: 'directory', dataDir: first }
  if (isOfCluster.includes(false))
    throw refused(`${flag} names one directory, or a cluster: postgres://… and s3://…`)
  const database = words.filter((word) => word.startsWith('postgres'))
  const stores = words.filter((word) => word.startsWith('s3:'))
  if (database.length > 1 || stores.length > 1)
    throw refused(
      `${flag} names one database and one bucket. Several hosts stand in one address, with "," between.`,
    )
  return {
    kind: 'cluster',
    given: { ...database.map((url) => ({ DATABASE_URL: url }))[0], ...stores.map(storeOf)[0] },
    hasPassword: /^postgres(?:ql)?:\/\/[^@/?]*:[^@/?]+@/.test(database[0] ?? ''),
  }
}

function storeOf(word: string): Readonly<Record<string, string | undefined>> {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(word) ?? []
  if (bucket === undefined)
    throw refused('The address of a bucket is s3://BUCKET or s3://BUCKET/PREFIX/.')
  return { S3_BUCKET: bucket, S3_PREFIX: prefix === '' ? undefined : prefix }
}

function refused(detail: string): CmsError {
  return new CmsError('bad-request', detail)
}
