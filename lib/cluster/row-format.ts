// The format of the rows that this version writes, common to all nodes of a site. The number is stored among the rows, so
// each node reads it together with the commits of other nodes before it reads or commits anything. A node that was halted
// during a change of the format ends as soon as it continues.

import { RefusedError } from '../storage/embedded/refusal.ts'
import { markKey } from '../storage/records/format.ts'
import type { KvReader } from '../storage/records/kv.ts'
import type { Commits } from './cluster-commits.ts'
import type { Commit } from './local-copy.ts'
import type { OwnLife } from './node-life.ts'

/** Increased by each version whose rows the previous version cannot read, or misreads. */
export const ROW_FORM = 1

/** If the row is absent, the format is the first one. */
const FORM_KEY = markKey('row-form')
const FIRST = 1

function formOf(reader: Pick<KvReader, 'get'>): number {
  return numberIn(reader.get(FORM_KEY))
}

function numberIn(value: Uint8Array | undefined): number {
  return value === undefined ? FIRST : Number(Buffer.from(value).toString())
}

/** Builds a check that throws if a commit changes to another format. */
export function requiring(form: number): (commits: readonly Commit[]) => void {
  return (commits) => {
    for (const { writes } of commits)
      for (const { key, value } of writes)
        if (FORM_KEY.equals(key) && numberIn(value) !== form) throw new Error(OTHER_FORM)
  }
}

const OTHER_FORM =
  'The other servers of this site were upgraded and write another row format now. Start this server with the same version.'

interface Beginning {
  readonly form: number
  readonly reader: Pick<KvReader, 'get'>
  readonly life: Pick<OwnLife, 'othersOfAnotherForm'>
  readonly commits: Commits
}

/** Changes the site to this format if no live node needs the previous one. Throws if one does, or if the format is newer. */
export async function beginForm({ form, reader, life, commits }: Beginning): Promise<void> {
  requireNotNewer(formOf(reader), form)
  if (formOf(reader) === form) return
  // This process is already listed as alive, so of two processes that start at once at least one sees the other.
  const others = await life.othersOfAnotherForm()
  if (others.length > 0) throw new RefusedError(waitFor(others))
  await commits.commit((writer) => {
    requireNotNewer(formOf(writer), form)
    writer.put(FORM_KEY, Buffer.from(String(form)))
  })
}

function requireNotNewer(found: number, form: number): void {
  if (found <= form) return
  throw new RefusedError(
    'The records were written by a newer version of cms-server. Start that version.',
  )
}

function waitFor(others: readonly string[]): string {
  return `Servers of another version are running that cannot read the rows of this version: ${others.join(', ')}. Stop them, then start this server. A rolling upgrade to this version is not possible.`
}
