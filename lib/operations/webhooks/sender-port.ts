// What operations know of the sender of webhooks (sender.ts), which runs in the process that writes.

import type { TextCipher } from '../../auth/text-cipher.ts'
import type { WebhookDelivery } from '../../schema/webhook.ts'

export interface Webhooks {
  /** For secrets. */
  readonly cipher: TextCipher
  /** Why nothing would be sent there; undefined where only an attempt can tell. */
  readonly faultOf: (url: string) => string | undefined
  /** One of them was made, changed or removed. */
  readonly notice: (webhookId: number) => void
  /** Resolves when what has become of deliveries so far is in the records. */
  readonly written: () => Promise<void>
  /** Sends what says that it is a test, once, and tells what became of it. */
  readonly test: (webhookId: number) => Promise<WebhookDelivery>
}
