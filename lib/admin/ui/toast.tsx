// Short messages at the edge of the page, with optional buttons. They disappear by themselves; errors stay.
//
//   const toast = useToast()
//   toast({ text: fill(t.files.deleted, { name }), action: { text: t.general.undo, onPress: restore } })
//   toast({ name: 'file 12', text: t.live, actions: [view, copyUrl, undo] })      replaces the toast of file 12
//   toast.problem(error, 'file 12')
//
// Elements behind a modal dialog cannot be clicked, so the topmost dialog shows new toasts (ToastPlace). Toasts never cover the
// buttons that save, the pager and the dock (toast-position.ts).

import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { keepToastsClear } from './toast-position.ts'
import { useProblemText } from './use-problem-text.ts'

export interface ToastAction {
  readonly text: string
  readonly onPress: () => void
  /** The toast stays after this action. */
  readonly isLasting?: boolean
}

export interface ToastMessage {
  readonly text: string
  /** Short for one of `actions`. */
  readonly action?: ToastAction
  readonly actions?: readonly ToastAction[]
  readonly isFault?: boolean
  /** The subject, such as `file 12`. The message replaces the previous toast about the same subject. */
  readonly name?: string
}

export interface Toaster {
  (message: ToastMessage): void
  readonly problem: (error: unknown, name?: string) => void
}

const nobody = Object.assign(() => undefined, { problem: () => undefined })

const ToastContext = createContext<Toaster>(nobody)

export function useToast(): Toaster {
  return useContext(ToastContext)
}

interface Shown extends ToastMessage {
  readonly id: number
  /** The topmost place when the toast appeared; undefined for the page. */
  readonly place: symbol | undefined
}

interface Places {
  readonly shown: readonly Shown[]
  readonly remove: (id: number) => void
  /** Open overlays, the topmost last. */
  readonly places: readonly symbol[]
  readonly enter: (place: symbol) => () => void
}

const NOWHERE: Places = {
  shown: [],
  remove: () => undefined,
  places: [],
  enter: () => () => undefined,
}

const PlacesContext = createContext<Places>(NOWHERE)

const SHOWN_MS = 6_000
/** Leaves enough time to undo. */
const SHOWN_WITH_ACTION_MS = 12_000
const MOST = 3

export function ToastProvider({ children }: { readonly children: ComponentChildren }) {
  const problemText = useProblemText()
  const [shown, setShown] = useState<readonly Shown[]>([])
  const lastId = useRef(0)
  const textOf = useRef(problemText)
  textOf.current = problemText
  const [places, setPlaces] = useState<readonly symbol[]>([])
  const top = useRef<symbol>()
  top.current = places.at(-1)

  const toaster = useMemo(() => {
    const show = (message: ToastMessage): void => {
      lastId.current += 1
      const next = { ...message, id: lastId.current, place: top.current }
      const { name } = message
      setShown((before) =>
        [...before.filter((each) => name === undefined || each.name !== name), next].slice(-MOST),
      )
    }
    const problem = (error: unknown, name?: string): void => {
      const { title, detail } = textOf.current(error)
      const text = detail === undefined ? title : `${title} ${detail}`
      show({ text, isFault: true, ...(name !== undefined && { name }) })
    }
    return Object.assign(show, { problem })
  }, [])

  const enter = useCallback((place: symbol) => {
    setPlaces((before) => [...before, place])
    return () => setPlaces((before) => before.filter((each) => each !== place))
  }, [])
  const remove = useCallback(
    (id: number) => setShown((before) => before.filter((toast) => toast.id !== id)),
    [],
  )

  return (
    <ToastContext.Provider value={toaster}>
      <PlacesContext.Provider value={{ shown, remove, places, enter }}>
        {children}
        <Toasts place={undefined} />
      </PlacesContext.Provider>
    </ToastContext.Provider>
  )
}

/** Placed in every overlay. */
export function ToastPlace() {
  const { enter } = useContext(PlacesContext)
  const place = useMemo(() => Symbol('place'), [])
  useEffect(() => enter(place), [])
  return <Toasts place={place} />
}

/**
 * A dialog that opens later does not take over a toast, which could cover a part of the dialog. A toast of a closed dialog
 * moves to the topmost place.
 */
function placeOf({ place }: Shown, places: readonly symbol[]): symbol | undefined {
  return place === undefined || places.includes(place) ? place : places.at(-1)
}

function Toasts({ place }: { readonly place: symbol | undefined }) {
  const { shown, remove, places } = useContext(PlacesContext)
  const box = useRef<HTMLDivElement>(null)
  const own = shown.filter((toast) => placeOf(toast, places) === place)
  const isUsed = own.length > 0
  useLayoutEffect(() => {
    if (!isUsed || box.current === null) return undefined
    return keepToastsClear(box.current)
  }, [isUsed])
  return (
    <div ref={box} class="toasts" role="status" aria-live="polite" aria-atomic="false">
      {own.map((toast) => (
        <Toast key={toast.id} toast={toast} onGone={() => remove(toast.id)} />
      ))}
    </div>
  )
}

function Toast({ toast, onGone }: { readonly toast: Shown; readonly onGone: () => void }) {
  const { t } = useTexts()
  const { text, action, actions = action === undefined ? [] : [action], isFault } = toast
  const [isHeld, setIsHeld] = useState(false)
  const isHidden = useIsHidden()
  useEffect(() => {
    if (isHeld || isHidden || isFault === true) return undefined
    const timer = setTimeout(onGone, actions.length === 0 ? SHOWN_MS : SHOWN_WITH_ACTION_MS)
    return () => clearTimeout(timer)
  }, [isHeld, isHidden])

  return (
    <div
      class={isFault === true ? 'toast toast-fault' : 'toast'}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocusIn={() => setIsHeld(true)}
      onFocusOut={() => setIsHeld(false)}
    >
      {isFault === true && <Icon name="alert" />}
      <p>{text}</p>
      {actions.length > 0 && (
        <div class="toast-actions">
          {actions.map(({ text: label, onPress, isLasting }) => (
            <Button
              key={label}
              onPress={() => {
                if (isLasting !== true) onGone()
                onPress()
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <Button kind="quiet" icon="close" label={t.general.close} onPress={onGone} />
    </div>
  )
}

/** Whether another tab is shown. An action that opens a tab leaves time to come back and undo. */
function useIsHidden(): boolean {
  const [isHidden, setIsHidden] = useState(document.hidden)
  useEffect(() => {
    const look = (): void => setIsHidden(document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isHidden
}
