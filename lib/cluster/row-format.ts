// The form of the rows that this version writes, and that all nodes of a site have in common. It stands among the rows
// themselves, so that each node reads it with the commits of others before it reads or commits anything: one that was
// halted while the others went over to another form ends as soon as it goes on.

import { RefusedError } from '../storage/embedded/refusal.ts'
import { markKey } from '../storage/records/format.ts'
import type { KvReader } from '../storage/records/kv.ts'
import type { Commits } from './cluster-commits.ts'
import type { Commit } from './local-copy.ts'
import type { OwnLife } from './node-life.ts'

/** One more with each version that writes rows which the one before it does not read, or reads wrongly. */
export const ROW_FORM = 1

/** Absent: the first form. */
const FORM_KEY = markKey('row-form')
const FIRST = 1

function formOf(reader: Pick<KvReader, 'get'>): number {
  return numberIn(reader.get(FORM_KEY))
}

function numberIn(value: Uint8Array | undefined): number {
  return value === undefined ? FIRST : Number(Buffer.from(value).toString())
}

/** What throws where one of the commits goes over to another form. */
export function requiring(form: number): (commits: readonly Commit[]) => void {
  return (commits) => {
    for (const { writes } of commits)
      for (const { key, value } of writes)
        if (FORM_KEY.equals(key) && numberIn(value) !== form) throw new Error(OTHER_FORM)
  }
}

const OTHER_FORM =
  'The other servers of this site are of a version that writes other rows now. Start that version.'

interface Beginning {
  readonly form: number
  readonly reader: Pick<KvReader, 'get'>
  readonly life: Pick<OwnLife, 'othersOfAnotherForm'>
  readonly commits: Commits
}

/** Goes over to this form where nobody needs the one before. Throws where somebody does, or a later one is there. */
export async function beginForm({ form, reader, life, commits }: Beginning): Promise<void> {
  requireNotNewer(formOf(reader), form)
  if (formOf(reader) === form) return
  // This process is in the list of the living since before: of two that begin at once one sees the other.
  const others = await life.othersOfAnotherForm()
  if (others.length > 0) throw new RefusedError(waitFor(others))
  await commits.commit((writer) => {
    requireNotNewer(formOf(writer), form)
    writer.put(FORM_KEY, Buffer.from(String(form)))
  })
}

function requireNotNewer(found: number, form: number): void {
  if (found <= form) return
  throw new RefusedError('Its rows were written by a newer version of cms-server. Start that one.')
}

function waitFor(others: readonly string[]): string {
  return `Servers of another version run, which cannot read what this one writes: ${others.join(', ')}. Stop them, then start this one: no upgrade without downtime leads to it.`
}
