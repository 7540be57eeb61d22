import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { shownState, type Webhook } from './webhook.ts'

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
