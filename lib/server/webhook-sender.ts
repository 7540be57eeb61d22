// The sender of webhooks, put together: what it sends with, and what the operator is told.

import { openTextCipher } from '../auth/text-cipher.ts'
import type { Config } from '../config/config.ts'
import type { Limits } from '../config/limits.ts'
import type { Log } from '../base/log.ts'
import type { LineState } from '../operations/webhooks/delivery-progress.ts'
import { openSender, type Sender } from '../operations/webhooks/sender.ts'
import { openAddresses } from '../outgoing/addresses.ts'
import { openPoster } from '../outgoing/post.ts'

export interface WebhookParts {
  readonly config: Pick<Config, 'webhookAllow'>
  readonly log: Log
  readonly limits: Limits
  readonly siteKey: Uint8Array
}

export function openWebhooks({ config, log, limits, siteKey }: WebhookParts): Sender {
  return openSender({
    cipher: openTextCipher(siteKey, 'webhook secret'),
    poster: openPoster({
      addresses: openAddresses(config.webhookAllow),
      timeoutMs: limits.webhookTimeoutMs,
      maxAnswerBytes: limits.webhookAnswerBytes,
      keptAnswerBytes: limits.keptWebhookAnswerBytes,
    }),
    atOnce: limits.webhooksAtOnce,
    onState: (told) => tell(log, told),
    onError: (error) => log.error({ err: error }, 'the work of the webhooks failed'),
  })
}

/** Once at each change of its state, however often a delivery is tried. */
function tell(log: Log, told: LineState): void {
  if (told.state === 'given_up')
    log.error(told, 'a webhook was given up: nothing is sent to it any more')
  else if (told.state === 'waiting')
    log.warn(told, 'a delivery to a webhook has failed and is tried again')
  else log.info(told, 'a webhook takes deliveries again')
}
