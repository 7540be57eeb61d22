// Removes the records of ended sessions in the background, in small commits.

import { setTimeout as sleep } from 'node:timers/promises'
import { isExpired } from '../../auth/caller.ts'
import { inSlices } from '../../schema/time-slicing.ts'
import { apiKey } from '../../schema/api-key.ts'
import { NOBODY } from '../../schema/audit.ts'
import { session } from '../../schema/session.ts'
import type { Reader } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { commitAudited } from '../trail/audit.ts'
import { removeKeyRecords } from './key-records.ts'
import { KEYS_AT_ONCE } from './revoking.ts'

const EXPIRE_EVERY_MS = 3_600_000

type Needed = Pick<Services, 'records' | 'background' | 'now'>

/** Runs now and every hour, until the signal aborts. */
export async function expireSessions(services: Needed, signal: AbortSignal): Promise<void> {
  for (;;) {
    // An error is logged, and the next round runs as usual.
    await services.background.run('expire-sessions', () => removeEnded(services, signal))
    await sleep(EXPIRE_EVERY_MS, undefined, { signal, ref: false })
  }
}

async function removeEnded({ records, now }: Needed, signal: AbortSignal): Promise<void> {
  const ended: number[] = []
  await inSlices(walkEnded(records, now(), (id) => void ended.push(id)))
  for (let done = 0; done < ended.length && !signal.aborted; done += KEYS_AT_ONCE)
    await commitAudited(
      { records, now },
      {
        doer: NOBODY,
        plan(unit) {
          const batch = ended.slice(done, done + KEYS_AT_ONCE)
          // A session may be valid again if the clock was set back.
          removeKeyRecords(
            unit,
            batch.filter((id) => isEnded(unit, id, now())),
          )
        },
      },
    )
}

/** Yields at each session, because there may be many. */
function* walkEnded(
  reader: Reader,
  now: Date,
  visit: (keyId: number) => void,
): Generator<void, void> {
  for (const [cookie] of reader.list(session, [])) {
    yield
    const stored = reader.get(session, String(cookie))
    const id = stored?.value.api_key_id
    if (id !== undefined && isEnded(reader, id, now)) visit(id)
  }
}

function isEnded(reader: Reader, keyId: number, now: Date): boolean {
  return isExpired(reader, reader.get(apiKey.recordType, keyId)?.value.date_expires ?? null, now)
}
