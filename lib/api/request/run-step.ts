// The last step of a request: from what its operation gave to the reply.

import { CmsError } from '../../base/errors.ts'
import type { Reply } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'
import type { Request } from './request.ts'
import type { Route } from './route.ts'

export interface Steps {
  readonly route: Route
  readonly request: Request
  readonly context: Context
}

/** Where something was changed, an answer that cannot be made must not read like a refusal. */
export async function replyTo({ route, request, context }: Steps, output: unknown): Promise<Reply> {
  if (route.action === undefined) return route.reply(output, request, context)
  try {
    return await route.reply(output, request, context)
  } catch (cause) {
    const detail = 'The change was made, but the answer could not be. Read the record to see it.'
    throw new CmsError('outcome-unknown', detail, { cause })
  }
}
