// The interface of the webhook sender (sender.ts), which runs in the process that writes.

import type { TextCipher } from '../../auth/text-cipher.ts'
import type { WebhookDelivery } from '../../schema/webhook.ts'

export interface Webhooks {
  /** Encrypts the secrets. */
  readonly cipher: TextCipher
  /** Why the address is refused; undefined if only an attempt can decide. */
  readonly faultOf: (url: string) => string | undefined
  /** Reports that a webhook was created, changed or removed. */
  readonly notice: (webhookId: number) => void
  /** Resolves when the outcome of all deliveries so far is stored. */
  readonly written: () => Promise<void>
  /** Sends a test message once, and returns the outcome. */
  readonly test: (webhookId: number) => Promise<WebhookDelivery>
}
