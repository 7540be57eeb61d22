// Actions for a webhook: test, pause, rotate secret, resend, delete.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { ReplayDialog, RotateDialog } from './webhook-dialogs.tsx'
import type { Webhook } from './webhook.tsx'

const LOGGED_MS = 1_500

export interface WebhookActionsProps {
  readonly fetched: Fetched<Webhook>
  readonly onFetched: (fetched: Fetched<Webhook>) => void
  /** Called after a delivery. */
  readonly onTried: () => void
}

export function WebhookActions({ fetched, onFetched, onTried }: WebhookActionsProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState<'rotate' | 'replay'>()
  const { test, turn, remove, isTesting } = useWork({ fetched, onFetched, onTried })
  const { status, state } = fetched.record
  const isOff = status === 'paused' || state === 'given_up'
  const close = (): void => setOpen(undefined)

  return (
    <>
      <Button icon="send" isBusy={isTesting} onPress={() => void test()}>
        {t.webhooks.test}
      </Button>
      <Button
        kind={isOff ? 'primary' : 'plain'}
        onPress={() => void turn(isOff ? 'resume' : 'pause')}
      >
        {isOff ? t.webhooks.resume : t.webhooks.pause}
      </Button>
      <Menu
        button={{ class: 'button button-sign', icon: 'more', label: t.webhooks.more }}
        items={[
          { text: t.webhooks.replay, icon: 'repeat', onChoose: () => setOpen('replay') },
          { text: t.webhooks.rotate, icon: 'key', onChoose: () => setOpen('rotate') },
          { text: t.keys.delete, icon: 'trash', isDangerous: true, onChoose: () => void remove() },
        ]}
      />
      {open === 'rotate' && (
        <RotateDialog fetched={fetched} onFetched={onFetched} onClose={close} />
      )}
      {open === 'replay' && (
        <ReplayDialog
          fetched={fetched}
          onClose={close}
          onFetched={(next) => {
            onFetched(next)
            close()
          }}
        />
      )}
    </>
  )
}

function useWork({ fetched, onFetched, onTried }: WebhookActionsProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const confirm = useConfirm()
  const { route } = useLocation()
  const [isTesting, setIsTesting] = useState(false)
  const { webhook_id: id, name } = fetched.record
  const params = { path: { id }, header: { 'If-Match': fetched.etag } }

  async function test(): Promise<void> {
    setIsTesting(true)
    try {
      const sent = await dataOf(api.POST('/webhook/{id}/test', { params: { path: { id } } }))
      const ms = formats.number(sent.ms)
      if (sent.error === null)
        toast({ text: fill(t.webhooks.tested, { status: `${sent.status}`, ms }) })
      else toast({ text: fill(t.webhooks.testFailed, { error: sent.error }), isFault: true })
    } catch (error) {
      toast.problem(error)
    } finally {
      setIsTesting(false)
      onTried()
      // The delivery log is written with a delay.
      setTimeout(onTried, LOGGED_MS)
    }
  }

  async function turn(to: 'pause' | 'resume'): Promise<void> {
    try {
      const call =
        to === 'pause'
          ? api.POST('/webhook/{id}/pause', { params })
          : api.POST('/webhook/{id}/resume', { params })
      onFetched(await recordOf<Webhook>(call))
      toast({ text: fill(to === 'pause' ? t.webhooks.paused : t.webhooks.resumed, { name }) })
    } catch (error) {
      toast.problem(error)
      onTried()
    }
  }

  async function remove(): Promise<void> {
    const title = fill(t.webhooks.deleteTitle, { name })
    const isSure = await confirm({
      title,
      text: t.webhooks.deleteText,
      action: t.keys.delete,
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await dataOf(api.DELETE('/webhook/{id}', { params }))
      toast({ text: fill(t.webhooks.deleted, { name }) })
      route(pathOf('/webhooks'))
    } catch (error) {
      toast.problem(error)
      onTried()
    }
  }

  return { test, turn, remove, isTesting }
}
