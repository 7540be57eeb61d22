// A ticket for one address. Grants are checked when the ticket is used, so any download address is accepted: the
// answer does not reveal whether it exists. The ticket of a feed may last as long as the key that requests it.

import { timeOfEnds } from '../../auth/key-use.ts'
import { LIMITS } from '../../config/limits.ts'
import { isSession } from '../../schema/api-key.ts'
import { refuseField } from '../../schema/check.ts'
import type { Context } from '../context.ts'

export interface MadeTicket {
  readonly ticket: string
  readonly dateExpires: string
}

interface TicketInput {
  readonly target: string
  /** Whether the ticket ends only with its key, which must not be a session. */
  readonly isPermanent: boolean
}

/** The last time that a ticket can have. */
const NEVER = '9999-12-31T00:00:00.000Z'

export function makeTicket(
  { records, caller, tickets, now }: Context,
  { target, isPermanent }: TicketInput,
): MadeTicket {
  const { dateEnds, secretHash, key } = caller
  if (isPermanent && isSession(key))
    refuseField('permanent', 'needs an API key, because a session ends; send the secret of a key')
  const soonMs = timeOfEnds(records, now()).getTime() + LIMITS.ticketMs
  const latest = isPermanent ? NEVER : new Date(soonMs).toISOString()
  const dateExpires = dateEnds !== null && dateEnds < latest ? dateEnds : latest
  return {
    ticket: tickets.make({ target, secretHash, dateEnds: dateExpires }),
    dateExpires,
  }
}
