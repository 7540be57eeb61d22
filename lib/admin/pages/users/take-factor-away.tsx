// Turns off the second factor of a user who has lost the device.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { User } from './user.ts'

export interface TakeFactorAwayProps {
  readonly user: User
  readonly onDone: () => void
}

export function TakeFactorAway({ user, onDone }: TakeFactorAwayProps) {
  const { t } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const { user_id: id, name } = user

  async function takeAway(): Promise<void> {
    const isSure = await confirm({
      title: fill(t.secondFactor.takeAwayTitle, { name }),
      text: t.secondFactor.takeAwayText,
      action: t.secondFactor.takeAway,
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await dataOf(api.POST('/user/{id}/second_factor/remove', { params: { path: { id } } }))
      toast({ text: fill(t.secondFactor.takenAway, { name }) })
    } catch (error) {
      toast.problem(error)
    }
    onDone()
  }

  return <Button onPress={() => void takeAway()}>{t.secondFactor.takeAway}</Button>
}
