// A server whose webhooks may send to this machine, and local receivers.

import assert from 'node:assert/strict'
import type { Config } from '../../../lib/config/config.ts'
import { networks } from '../../../lib/config/flag-values.ts'
import type { Limits } from '../../../lib/config/limits.ts'
import { newName } from '../../helpers/content.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from '../../helpers/receiver.ts'
import { startTestServer, type TestOptions, type TestServer } from '../../helpers/server.ts'

export interface Site {
  readonly server: TestServer
  ok(method: string, path: string, json?: object): Promise<any>
  receive(options?: ReceiverOptions): Promise<Receiver>
  /** Creates a webhook for a receiver. */
  hook(receiver: Pick<Receiver, 'url'>, more: object): Promise<any>
  folder(more?: object): Promise<number>
  file(more: object): Promise<number>
  untilShown(id: number, isSo: (hook: any) => boolean): Promise<any>
  /** Waits until the log has this many deliveries and returns it. */
  untilDelivered(id: number, count: number): Promise<readonly any[]>
  close(): Promise<void>
}

export async function openSite(
  limits: Partial<Limits>,
  { config, ...options }: Omit<TestOptions, 'limits'> = {},
): Promise<Site> {
  const allowed: Partial<Config> = { webhookAllow: networks('tests')('127.0.0.0/8') }
  const server = await startTestServer({ ...options, limits, config: { ...allowed, ...config } })
  const receivers: Receiver[] = []

  async function ok(method: string, path: string, json?: object): Promise<any> {
    const answer = await server.call(method, path, json === undefined ? {} : { json })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }

  async function until(read: () => Promise<any>, isSo: (found: any) => boolean): Promise<any> {
    for (;;) {
      const found = await read()
      if (isSo(found)) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  return {
    server,
    ok,
    async receive(options) {
      const receiver = await openReceiver(options)
      receivers.push(receiver)
      return receiver
    },
    hook: ({ url }, more) => ok('POST', '/api/v2/webhook', { name: newName('hook'), url, ...more }),
    async folder(more) {
      const json = { name: newName('folder'), ...more }
      return (await ok('POST', '/api/v2/asset_category', json)).asset_category_id
    },
    async file(more) {
      const json = { name: newName('html'), type: 'html', pageContent: '<p>', ...more }
      return (await ok('POST', '/api/v2/asset_file', json)).asset_file_id
    },
    untilShown: (id, isSo) => until(() => ok('GET', `/api/v2/webhook/${id}`), isSo),
    untilDelivered: (id, count) =>
      until(
        async () => (await ok('GET', `/api/v2/webhook/${id}/delivery`)).webhook_delivery,
        (rows) => rows.length >= count,
      ),
    async close() {
      await server.close()
      for (const receiver of receivers) await receiver.close()
    },
  }
}
