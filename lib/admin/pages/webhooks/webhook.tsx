// A webhook as the server returns it, and as form values.

import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../../../shared/actions.ts'
import { GRANTS } from '../../../shared/grants.ts'
import type { components, operations } from '../../client/interface.d.ts'
import { mayEverywhere, type Me } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { ALL, chosenOf } from './choice-field.tsx'

export type Webhook = components['schemas']['webhook']

export type Delivery =
  operations['list_webhook_deliveries']['responses'][200]['content']['application/json']['webhook_delivery'][number]

export interface WebhookValues {
  readonly [name: string]: string
  readonly name: string
  readonly url: string
  /** ALL, or names separated by commas. */
  readonly objects: string
  readonly actions: string
  /** '' for all folders. */
  readonly asset_category_id: string
}

export const NEW_WEBHOOK: WebhookValues = {
  name: '',
  url: '',
  objects: ALL,
  actions: ALL,
  asset_category_id: '',
}

export function valuesOf(webhook: Webhook): WebhookValues {
  const { name, url, objects, actions, asset_category_id: folder } = webhook
  return {
    name,
    url,
    objects: objects?.join(',') ?? ALL,
    actions: actions?.join(',') ?? ALL,
    asset_category_id: folder === null ? '' : String(folder),
  }
}

/** Converts changed fields to a request body. */
export function bodyOf(values: Partial<WebhookValues>) {
  const { name, url, objects, actions, asset_category_id: folder } = values
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url: url.trim() }),
    ...(objects !== undefined && { objects: chosenOf(CHANGED_OBJECTS, objects) }),
    ...(actions !== undefined && { actions: chosenOf(CHANGE_ACTIONS, actions) }),
    ...(folder !== undefined && { asset_category_id: folder === '' ? null : Number(folder) }),
  }
}

type Shown = 'paused' | Webhook['state']

/** The status to display. */
function shownState({ status, state }: Pick<Webhook, 'status' | 'state'>): Shown {
  return status === 'paused' ? 'paused' : state
}

/** As on the server: webhooks need every grant, because a webhook can send all changes. */
export function mayChangeWebhooks(me: Me | undefined): boolean {
  return me !== undefined && GRANTS.every((grant) => mayEverywhere(me, grant))
}

const KINDS = {
  delivering: 'live',
  waiting: 'staged',
  given_up: 'danger',
  paused: 'draft',
} as const

export function WebhookBadge({ of }: { readonly of: Pick<Webhook, 'status' | 'state'> }) {
  const { t } = useTexts()
  const state = shownState(of)
  return <Badge kind={KINDS[state]}>{t.webhooks.states[state]}</Badge>
}
