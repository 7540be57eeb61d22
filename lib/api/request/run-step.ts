// The last step of a request: builds the reply from the output of the operation.

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

/** After a change, a reply that cannot be built must not look as if the change was rejected. */
export async function replyTo({ route, request, context }: Steps, output: unknown): Promise<Reply> {
  if (route.action === undefined) return route.reply(output, request, context)
  try {
    return await route.reply(output, request, context)
  } catch (cause) {
    const detail =
      'The change was saved, but the response could not be built. Read the record to see the change.'
    throw new CmsError('outcome-unknown', detail, { cause })
  }
}
