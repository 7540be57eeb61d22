// The secrets that sign the deliveries of a webhook.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTextCipher } from '../../../lib/auth/site-cipher.ts'
import { newWebhookSecret, signingKeys } from '../../../lib/operations/webhooks/attempt.ts'

test('the previous secret signs until its expiry and no longer', () => {
  const cipher = openTextCipher(Buffer.alloc(32, 1), 'webhook secret')
  const [first, second] = [newWebhookSecret(cipher), newWebhookSecret(cipher)]
  const date_ends = '2026-03-04T05:06:07.008Z'
  const secret = { secret: second.encrypted, previous: { secret: first.encrypted, date_ends } }
  const shown = (now: number): readonly string[] | undefined =>
    signingKeys(secret, cipher, new Date(now))?.map((key) => `whsec_${key.toString('base64')}`)
  const end = Date.parse(date_ends)
  assert.deepEqual(shown(end - 1), [second.shown, first.shown])
  assert.deepEqual(shown(end), [second.shown])
})
