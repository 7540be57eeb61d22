// Builds the webhook sender and logs changes of its state.

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
    onError: (error) => log.error({ err: error }, 'webhook sender failed'),
  })
}

/** Logs one line per change of state, not per attempt. */
function tell(log: Log, told: LineState): void {
  if (told.state === 'given_up') log.error(told, 'webhook given up; no more deliveries are sent')
  else if (told.state === 'waiting') log.warn(told, 'webhook delivery failed; retrying')
  else log.info(told, 'webhook accepts deliveries again')
}
