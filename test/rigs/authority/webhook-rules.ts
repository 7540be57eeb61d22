// The rules for webhooks: they belong to the whole site, and outlive the keys that make them.

import { type Asking, GRANTED, judgeEntry, ownKey, refused, type Verdict } from './rules.ts'
import { withGone } from './sight-rules.ts'
import { ALL, keyGlobal, keyMask } from './state.ts'

/** Judges every change of a webhook; a role in a deleted folder still counts. */
export function judgeWebhookChange(asking: Asking): Verdict {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  const model = withGone(asking.model)
  const isWhole =
    keyGlobal(model, own) === ALL &&
    [...model.folders.keys()].every((folder) => keyMask(model, own, folder) === ALL)
  return isWhole
    ? GRANTED
    : refused('weaker', [403], 'it does not hold every grant on the whole site')
}
