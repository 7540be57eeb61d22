// A ticket for one address. Grants are checked when the ticket is used, so any download address is accepted: the
// answer does not reveal whether it exists.

import { timeOfEnds } from '../../auth/key-use.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Context } from '../context.ts'

export interface MadeTicket {
  readonly ticket: string
  readonly dateExpires: string
}

export function makeTicket({ records, caller, tickets, now }: Context, target: string): MadeTicket {
  const latest = new Date(timeOfEnds(records, now()).getTime() + LIMITS.ticketMs).toISOString()
  const { dateEnds, secretHash } = caller
  const dateExpires = dateEnds !== null && dateEnds < latest ? dateEnds : latest
  return {
    ticket: tickets.make({ target, secretHash, dateEnds: dateExpires }),
    dateExpires,
  }
}
