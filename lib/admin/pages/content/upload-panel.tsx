// The panel of uploads: progress, errors, and name conflicts.

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useCalmCell } from '../../client/cell.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useProblemText } from '../../ui/use-problem-text.ts'
import { isResumable, isUnsettled, type UploadItem, type UploadState } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'
import { UploadPublish } from './upload-publish.tsx'
import { countAsked, UploadTexts } from './upload-texts.tsx'

export interface UploadPanelProps {
  readonly queue: UploadQueue
  readonly onClose: () => void
}

/** Limits the list; items that need an answer come first. */
const MOST_SHOWN = 60

/** Small files change state faster than the eye can see, and each render delays the next upload. */
const REST_MS = 150

/** These need an answer or a retry. */
const ASKING: ReadonlySet<UploadState['kind']> = new Set(['clash', 'otherType', 'failed'])

const NARROW = '(max-width: 40rem)'

const ORDER: readonly UploadState['kind'][] = [
  'clash',
  'otherType',
  'failed',
  'paused',
  'sending',
  'waiting',
  'done',
  'skipped',
  'cancelled',
]

export function UploadPanel({ queue, onClose }: UploadPanelProps) {
  const { t, formats } = useTexts()
  const items = useCalmCell(queue.items, REST_MS)
  const open = items.filter(isUnsettled).map(({ id }) => id)
  const isOver = open.length === 0
  const [isSmall, setIsSmall] = useFolding(items)
  const shown = items
    .toSorted((left, right) => ORDER.indexOf(left.state.kind) - ORDER.indexOf(right.state.kind))
    .slice(0, MOST_SHOWN)
  const hidden = items.length - shown.length

  function close(): void {
    queue.clear()
    onClose()
  }

  return (
    <section class="upload-panel" aria-label={t.upload.title}>
      <header class="upload-head">
        <h2>{titleOf(items, { t, formats })}</h2>
        {open.length > 1 && (
          <Button kind="quiet" onPress={() => queue.cancel(open)}>
            {t.upload.cancelAll}
          </Button>
        )}
        <Button
          kind="quiet"
          icon={isSmall ? 'chevronUp' : 'chevronDown'}
          label={isSmall ? t.upload.larger : t.upload.smaller}
          onPress={() => setIsSmall(!isSmall)}
        />
        {isOver && <Button kind="quiet" icon="close" label={t.general.close} onPress={close} />}
      </header>
      <Progress label={t.upload.all} ratio={ratioOf(items)} />
      {isOver && <UploadPublish queue={queue} items={items} />}
      {!isSmall && (
        <>
          <ForAll queue={queue} items={items} />
          <ul class="upload-list" tabIndex={0} aria-label={t.upload.files}>
            {shown.map((item) => (
              <Item key={item.id} item={item} queue={queue} />
            ))}
            {hidden > 0 && <li class="quiet">{formats.count(t.upload.more, hidden)}</li>}
          </ul>
          {isOver && <UploadTexts queue={queue} items={items} />}
        </>
      )}
    </section>
  )
}

/** Whether only the head of the panel is shown. */
function useFolding(items: readonly UploadItem[]) {
  // On a phone, the whole panel would cover the page.
  const [isSmall, setIsSmall] = useState(() => matchMedia(NARROW).matches)
  const { path } = useLocation()
  const openedAt = useRef(path)
  const isOver = !items.some(isUnsettled)
  // A finished upload leaves the next page to its user.
  useEffect(() => {
    if (openedAt.current !== path && isOver) setIsSmall(true)
    openedAt.current = path
  }, [path])
  const unsettled = items.filter(({ state }) => ASKING.has(state.kind)).length
  const asking = unsettled + (isOver ? countAsked(items) : 0)
  useEffect(() => {
    if (asking > 0) setIsSmall(false)
  }, [asking])
  return [isSmall, setIsSmall] as const
}

type Speech = Pick<ReturnType<typeof useTexts>, 't' | 'formats'>

function titleOf(items: readonly UploadItem[], { t, formats }: Speech): string {
  const done = items.filter(({ state }) => state.kind === 'done').length
  if (!items.some(isUnsettled)) return formats.count(t.upload.landed, done)
  return fill(t.upload.going, { done: formats.number(done), all: formats.number(items.length) })
}

const UNSENT: ReadonlySet<UploadState['kind']> = new Set(['waiting', 'clash', 'otherType'])

/** Progress by bytes; an empty file counts as one byte. */
function ratioOf(items: readonly UploadItem[]): number {
  const weigh = (total: number, { file }: UploadItem): number => total + file.size + 1
  const all = items.reduce(weigh, 0)
  const sent = items.reduce((total, { file, state }) => {
    if ('sentBytes' in state) return total + Math.min(state.sentBytes, file.size)
    return total + (UNSENT.has(state.kind) ? 0 : file.size + 1)
  }, 0)
  return all === 0 ? 1 : sent / all
}

function ForAll({
  queue,
  items,
}: {
  readonly queue: UploadQueue
  readonly items: readonly UploadItem[]
}) {
  const { t, formats } = useTexts()
  const idsOf = (kind: UploadState['kind']): readonly number[] =>
    items.filter(({ state }) => state.kind === kind).map(({ id }) => id)
  const failed = idsOf('failed')
  const clashes = idsOf('clash').length
  return (
    <>
      {clashes > 1 && (
        <div class="upload-clash" role="group" aria-label={t.upload.clashAll}>
          <p>{formats.count(t.upload.clashes, clashes)}</p>
          <Answers onAnswer={(answer) => queue.answer('all', answer)} />
        </div>
      )}
      {failed.length > 0 && (
        <div class="upload-actions">
          <Button onPress={() => queue.retry(failed)}>
            {formats.count(t.upload.retryAll, failed.length)}
          </Button>
        </div>
      )}
    </>
  )
}

type Answer = Parameters<UploadQueue['answer']>[1]

function Answers({ onAnswer }: { readonly onAnswer: (answer: Answer) => void }) {
  const { t } = useTexts()
  return (
    <div class="upload-answers">
      <Button onPress={() => onAnswer('replace')}>{t.upload.replace}</Button>
      <Button onPress={() => onAnswer('keep')}>{t.upload.keep}</Button>
      <Button kind="quiet" onPress={() => onAnswer('skip')}>
        {t.upload.skip}
      </Button>
    </div>
  )
}

function Item({ item, queue }: { readonly item: UploadItem; readonly queue: UploadQueue }) {
  const { t } = useTexts()
  const { id, name, state, file, folders } = item
  const path = [...folders, name].join('/')
  return (
    <li class="upload-item">
      <div class="upload-name">
        <Icon name={ICONS[state.kind]} />
        <span class="unseen">{t.upload.states[state.kind]}</span>
        <span class="cut" title={path}>
          <bdi>{path}</bdi>
        </span>
        <span class="quiet">
          <Bytes count={file.size} />
        </span>
        <ItemButton item={item} queue={queue} />
      </div>
      {'sentBytes' in state && (
        <Progress
          label={name}
          ratio={file.size === 0 ? 1 : Math.min(1, state.sentBytes / file.size)}
        />
      )}
      {state.kind === 'failed' && <Failure error={state.error} />}
      {state.kind === 'clash' && (
        <div class="upload-clash" role="group" aria-label={fill(t.upload.clash, { name })}>
          <p>{t.upload.clashText}</p>
          <Answers onAnswer={(answer) => queue.answer([id], answer)} />
        </div>
      )}
      {state.kind === 'otherType' && <OtherType item={item} fields={state.fields} queue={queue} />}
    </li>
  )
}

interface OtherTypeProps {
  readonly item: UploadItem
  readonly fields: Extract<UploadState, { readonly kind: 'otherType' }>['fields']
  readonly queue: UploadQueue
}

function OtherType({ item: { id, target }, fields, queue }: OtherTypeProps) {
  const { t } = useTexts()
  const question = fill(t.upload.otherType, {
    file: fields.name,
    name: target.replaced?.name ?? '',
    type: fields.type,
  })
  return (
    <div class="upload-clash" role="group" aria-label={question}>
      <p>{question}</p>
      <div class="upload-answers">
        <Button onPress={() => queue.takeType(id, true)}>{t.upload.takeType}</Button>
        <Button kind="quiet" onPress={() => queue.takeType(id, false)}>
          {t.upload.skip}
        </Button>
      </div>
    </div>
  )
}

const ICONS = {
  waiting: 'clock',
  sending: 'upload',
  paused: 'pause',
  done: 'check',
  failed: 'alert',
  clash: 'alert',
  otherType: 'alert',
  skipped: 'close',
  cancelled: 'close',
} as const

function ItemButton({
  item,
  queue,
}: {
  readonly item: UploadItem
  readonly queue: UploadQueue
}): ComponentChildren {
  const { t } = useTexts()
  const { id, name, state } = item
  if (isUnsettled(item)) {
    const label = fill(t.upload.cancelOne, { name })
    return (
      <>
        <PauseButton item={item} queue={queue} />
        <Button kind="quiet" icon="close" label={label} onPress={() => queue.cancel([id])} />
      </>
    )
  }
  if (state.kind !== 'failed' && state.kind !== 'cancelled') return null
  const label = fill(t.upload.retryOne, { name })
  return <Button kind="quiet" icon="history" label={label} onPress={() => queue.retry([id])} />
}

function PauseButton({ item, queue }: { readonly item: UploadItem; readonly queue: UploadQueue }) {
  const { t } = useTexts()
  const { id, name, state } = item
  if (state.kind === 'paused') {
    const label = fill(t.upload.resumeOne, { name })
    return <Button kind="quiet" icon="play" label={label} onPress={() => queue.retry([id])} />
  }
  if (state.kind !== 'sending' || !isResumable(item)) return null
  const label = fill(t.upload.pauseOne, { name })
  return <Button kind="quiet" icon="pause" label={label} onPress={() => queue.pause(id)} />
}

function Failure({ error }: { readonly error: unknown }) {
  const { title, detail } = useProblemText()(error)
  return (
    <p class="field-fault">
      {title} {detail}
    </p>
  )
}
