// Commands on webhooks: make, pause, resume, rotate and delete.

import fc from 'fast-check'
import {
  act,
  anyOne,
  askingOf,
  command,
  pick,
  pickActor,
  pickAdmin,
  type WeightedCommand,
} from './command.ts'
import { judgeWebhookChange } from './webhook-rules.ts'

const WEBHOOK = '/api/v2/webhook'

const makeWebhook = command({
  name: 'makeWebhook',
  args: fc.record({ actor: anyOne, isActive: fc.boolean() }),
  async run(site, world, { actor: number, isActive }) {
    const { model } = site
    const actor = pickAdmin(site, world, number)
    const name = world.newName('webhook')
    const status = isActive && world.isAlone ? 'active' : 'paused'
    await act(site, world, {
      actor,
      verdict: judgeWebhookChange(askingOf(site, world, actor)),
      wish: { method: 'POST', path: WEBHOOK, json: { name, url: world.hook(name), status } },
      object: 'webhook',
      apply({ webhook_id: id, position }) {
        model.webhooks.set(id, {
          name,
          position,
          isPaused: status === 'paused',
          hasRested: status === 'paused',
        })
      },
    })
  },
})

const changeWebhook = command({
  name: 'changeWebhook',
  args: fc.record({
    actor: anyOne,
    webhook: anyOne,
    what: fc.constantFrom('pause', 'resume', 'rotate', 'delete', 'delete'),
  }),
  async run(site, world, { actor: number, webhook, what }) {
    const { model } = site
    if (model.webhooks.size === 0) return
    const actor = number % 2 === 0 ? pickAdmin(site, world, number) : pickActor(site, world, number)
    const [id, found] = pick([...model.webhooks], webhook)
    // No receiver answers for nodes.
    if (what === 'resume' && !world.isAlone) return
    const path = `${WEBHOOK}/${id}`
    await act(site, world, {
      actor,
      verdict: judgeWebhookChange(askingOf(site, world, actor)),
      wish:
        what === 'delete'
          ? { method: 'DELETE', path }
          : { method: 'POST', path: `${path}/${what}` },
      object: 'webhook',
      id,
      apply() {
        if (what === 'delete') model.webhooks.delete(id)
        if (what === 'pause') model.webhooks.set(id, { ...found, isPaused: true, hasRested: true })
        if (what === 'resume') model.webhooks.set(id, { ...found, isPaused: false })
      },
    })
  },
})

export const webhookCommands: readonly WeightedCommand[] = [
  { weight: 2, ...makeWebhook },
  { weight: 2, ...changeWebhook },
]
