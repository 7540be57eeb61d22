// Compares the deliveries of each webhook with the change log: a webhook sends every change, whatever
// has become of its maker, and a deleted webhook sends nothing.

import { changesSince } from './compare-sight.ts'
import type { Model } from './state.ts'
import type { World } from './world.ts'

export async function compareWebhooks(model: Model, world: World): Promise<void> {
  const active = [...model.webhooks.values()].filter(({ isPaused }) => !isPaused)
  if (active.length === 0) return
  await world.mark(world.siteProbe)
  for (const { name, position, hasRested } of active) {
    const { changes } = await changesSince(world, String(position))
    const due = changes.map(({ sequence }) => sequence)
    const sent = await world.delivered(name, due.at(-1) ?? 0)
    // A delivery may come twice if its answer is lost.
    const told = [...new Set(sent)].filter((sequence) => sequence <= (due.at(-1) ?? 0))
    if (told.join() === due.join()) continue
    world.complain(
      'webhook',
      `${name}${hasRested ? ', which has rested,' : ''} sent ${told}, and the changes are ${due}`,
    )
  }
}
