// Asks before an action that cannot be undone. Other actions run at once and offer undo in a toast.
//
//   const confirm = useConfirm()
//   if (await confirm({ title: t.keys.revoke, text: t.keys.revokeText, action: t.keys.revoke, isDangerous: true })) …

import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useToast } from './toast.tsx'

export interface Question {
  readonly title: string
  readonly text: ComponentChildren
  /** Button label that names the action instead of "OK". */
  readonly action: string
  readonly isDangerous?: boolean
}

type Ask = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Ask>(() => Promise.resolve(false))

export function useConfirm(): Ask {
  return useContext(ConfirmContext)
}

interface DangerousAction extends Question {
  readonly run: () => Promise<unknown>
  /** The text of the toast after success. */
  readonly done: string
  /** Runs after success and after a failure, but not if the user declines. */
  readonly after?: () => void
}

/** Asks, runs an action that cannot be undone, and then says that it is done or why it failed. */
export function useDangerousAction() {
  const confirm = useConfirm()
  const toast = useToast()
  return async ({ run, done, after, ...question }: DangerousAction): Promise<void> => {
    if (!(await confirm({ ...question, isDangerous: true }))) return
    try {
      await run()
      toast({ text: done })
    } catch (error) {
      toast.problem(error)
    }
    after?.()
  }
}

interface Asked extends Question {
  readonly answer: (isConfirmed: boolean) => void
}

export function ConfirmProvider({ children }: { readonly children: ComponentChildren }) {
  const { t } = useTexts()
  const [asked, setAsked] = useState<Asked>()
  const ask = useMemo<Ask>(
    () => (question) =>
      new Promise((resolve) => {
        const answer = (isConfirmed: boolean): void => {
          setAsked(undefined)
          resolve(isConfirmed)
        }
        setAsked({ ...question, answer })
      }),
    [],
  )

  return (
    <ConfirmContext.Provider value={ask}>
      {children}
      {asked !== undefined && (
        <Dialog title={asked.title} onClose={() => asked.answer(false)}>
          {typeof asked.text === 'string' ? (
            <p>{asked.text}</p>
          ) : (
            <div class="dialog-text">{asked.text}</div>
          )}
          <div class="dialog-actions">
            <Button onPress={() => asked.answer(false)}>{t.general.cancel}</Button>
            <Button
              kind={asked.isDangerous === true ? 'danger' : 'primary'}
              onPress={() => asked.answer(true)}
            >
              {asked.action}
            </Button>
          </div>
        </Dialog>
      )}
    </ConfirmContext.Provider>
  )
}
