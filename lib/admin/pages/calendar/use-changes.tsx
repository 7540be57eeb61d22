// Moves and deletes events on the server: asks for the scope in a series, and offers undo.

import { useState } from 'preact/hooks'
import type { Clock } from '../../../shared/wall-clock.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Times } from './event-times.ts'
import type { Events, Occurrence } from './events.ts'
import { changeIn, fieldsFor, removeIn, type Scope, SCOPES, type Undo } from './series.ts'
import type { SeriesWork } from './series-dates.ts'

/** A newer message about events replaces the older one, whose Undo may no longer fit. */
const TOAST = 'event'

interface ChangeOptions {
  readonly events: Events
  readonly clock: Clock
  readonly mayDelete: boolean
  /** Called after success and failure, to show the current state. */
  readonly onChanged: () => void
  /** Called when the user cancels. */
  readonly onGivenUp: () => void
}

interface Wanted {
  readonly event: Occurrence
  /** Undefined for a deletion. */
  readonly times: Times | undefined
}

export function useChanges({ events, clock, mayDelete, onChanged, onGivenUp }: ChangeOptions) {
  const { t } = useTexts()
  const toast = useToast()
  const offerUndo = useUndo({ mayDelete, onChanged })
  const [asking, setAsking] = useState<Wanted>()

  async function perform({ event, times }: Wanted, scope: Scope): Promise<void> {
    const tell = (text: string): void => toast({ text, name: TOAST, isFault: true })
    try {
      const fetched = await events.read(event.entryId)
      if (fetched.record.date_modified !== event.modified) return tell(t.calendar.changedMeanwhile)
      const work: SeriesWork = { events, clock, fetched, at: event }
      const { title } = event
      if (times === undefined) {
        offerUndo(fill(t.calendar.deleted, { title }), await removeIn(work, scope))
        return
      }
      const body = fieldsFor(work, { times, scope })
      if (body === undefined) return tell(t.calendar.cannotShift)
      offerUndo(fill(t.calendar.moved, { title }), await changeIn(work, scope, body))
    } catch (error) {
      const code = error instanceof Problem ? error.code : ''
      if (code === 'precondition-failed') tell(t.calendar.changedMeanwhile)
      else if (code === 'not-found') tell(t.calendar.gone)
      else toast.problem(error)
    } finally {
      onChanged()
    }
  }

  function want(wanted: Wanted): void {
    if (wanted.event.isRecurring) setAsking(wanted)
    else void perform(wanted, 'all')
  }

  return {
    move: (event: Occurrence, times: Times) => want({ event, times }),
    remove: (event: Occurrence) => want({ event, times: undefined }),
    view: asking !== undefined && (
      <ScopeDialog
        title={asking.times === undefined ? t.calendar.deleteWhich : t.calendar.moveWhich}
        isDangerous={asking.times === undefined}
        onClose={() => {
          setAsking(undefined)
          onGivenUp()
        }}
        onChoose={(scope) => {
          setAsking(undefined)
          void perform(asking, scope)
        }}
      />
    ),
  }
}

/** Shows what was done, with an undo button. */
export function useUndo({ mayDelete, onChanged }: Pick<ChangeOptions, 'mayDelete' | 'onChanged'>) {
  const { t } = useTexts()
  const toast = useToast()

  async function takeBack(undo: Undo): Promise<void> {
    try {
      await undo.run()
      toast({ text: t.calendar.undone, name: TOAST })
    } catch (error) {
      toast.problem(error)
    } finally {
      onChanged()
    }
  }

  return (text: string, undo: Undo): void => {
    const action = { text: t.general.undo, onPress: () => void takeBack(undo) }
    toast({ text, name: TOAST, ...(undo.removes && !mayDelete ? {} : { action }) })
  }
}

interface ScopeDialogProps {
  readonly title: string
  readonly isDangerous: boolean
  readonly onChoose: (scope: Scope) => void
  readonly onClose: () => void
}

/** Asks which events of a series a change applies to. */
function ScopeDialog({ title, isDangerous, onChoose, onClose }: ScopeDialogProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="scopes">
        {SCOPES.map((scope) => (
          <Button
            key={scope}
            kind={isDangerous && scope === 'all' ? 'danger' : 'plain'}
            onPress={() => onChoose(scope)}
          >
            {t.calendar.scopes[scope]}
          </Button>
        ))}
      </div>
      {!isDangerous && <p class="field-hint">{t.calendar.scopeText}</p>}
      <div class="dialog-actions">
        <Button onPress={onClose}>{t.general.cancel}</Button>
      </div>
    </Dialog>
  )
}
