// Every component of lib/admin/ui on one page, for tests and screenshots, and pages that fail. The gallery
// replaces the program of the area, in the same frame and under the same policy.

import { render } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { App } from '../../../lib/admin/frame/app.tsx'
import { mayEverywhere } from '../../../lib/admin/client/me.ts'
import type { PageDefinition } from '../../../lib/admin/frame/page-definition.ts'
import { Badge, StateBadge } from '../../../lib/admin/ui/badge.tsx'
import { Button } from '../../../lib/admin/ui/button.tsx'
import { useBulk } from '../../../lib/admin/ui/bulk.tsx'
import { Bytes } from '../../../lib/admin/ui/bytes.tsx'
import { Checkbox } from '../../../lib/admin/ui/checkbox.tsx'
import { CodeLine, Secret } from '../../../lib/admin/ui/code-line.tsx'
import { useConfirm } from '../../../lib/admin/ui/confirm.tsx'
import { DateTime } from '../../../lib/admin/ui/date-time.tsx'
import { Dialog } from '../../../lib/admin/ui/dialog.tsx'
import { EmptyState } from '../../../lib/admin/ui/empty-state.tsx'
import { Form, InvalidFields } from '../../../lib/admin/ui/form.tsx'
import { Menu } from '../../../lib/admin/ui/menu.tsx'
import { FloatingBar } from '../../../lib/admin/ui/floating-bar.tsx'
import { Notice } from '../../../lib/admin/ui/notice.tsx'
import { Page, Section } from '../../../lib/admin/ui/page.tsx'
import { Pagination, useCursors } from '../../../lib/admin/ui/pagination.tsx'
import { Progress } from '../../../lib/admin/ui/progress.tsx'
import { Select } from '../../../lib/admin/ui/select.tsx'
import { Skeleton } from '../../../lib/admin/ui/skeleton.tsx'
import { SplitView } from '../../../lib/admin/ui/split-view.tsx'
import { type Sort, Table } from '../../../lib/admin/ui/table.tsx'
import { TabLinks, Tabs } from '../../../lib/admin/ui/tabs.tsx'
import { TextInput } from '../../../lib/admin/ui/text-input.tsx'
import { useToast } from '../../../lib/admin/ui/toast.tsx'
import { useShortcut } from '../../../lib/admin/ui/shortcut.tsx'

function Gallery() {
  return (
    <Page
      title="Gallery"
      intro="Every part, as pages use it."
      isWide
      actions={
        <Button kind="primary" icon="plus">
          New key
        </Button>
      }
    >
      <Buttons />
      <Fields />
      <Lists />
      <Words />
      <Parts />
    </Page>
  )
}

function Buttons() {
  const confirm = useConfirm()
  const toast = useToast()
  const [isOpen, setIsOpen] = useState(false)
  const [told, setTold] = useState('nothing')
  useShortcut('n', () => setTold('by n'))
  useShortcut('mod+i', () => setTold('by mod+i'))
  const ask = async (): Promise<void> => {
    const question = { title: 'Delete it?', text: 'It is gone then.', action: 'Delete' }
    setTold((await confirm({ ...question, isDangerous: true })) ? 'deleted' : 'kept')
  }
  const undo = { text: 'Undo', onPress: () => setTold('undone') }
  const rounds = useRef(0)
  const tellSubject = (): void => {
    rounds.current += 1
    const view = { text: 'View page', onPress: () => setTold('viewed'), isLasting: true }
    const copy = { text: 'Copy address', onPress: () => setTold('copied') }
    const text = `Page ${rounds.current} is live.`
    toast({ name: 'file 1', text, actions: [view, copy, undo] })
  }
  return (
    <Section title="Buttons">
      <div class="form-actions">
        <Button kind="primary" onPress={() => setIsOpen(true)}>
          Dialog
        </Button>
        <Button onPress={() => void ask()}>Confirm</Button>
        <Button kind="quiet" onPress={() => toast({ text: 'It was moved.', action: undo })}>
          Toast
        </Button>
        <Button onPress={tellSubject}>Subject</Button>
        <Button kind="danger" icon="trash" onPress={() => toast.problem(new Error('No.'))}>
          Fault
        </Button>
        <Button isBusy>Busy</Button>
        <Button isDisabled>Disabled</Button>
        <Button isPressed>Pressed</Button>
        <Button icon="edit" label="Edit" />
        <Menu
          button={{ icon: 'more', label: 'Actions' }}
          items={[
            { text: 'Rotate', icon: 'history', onChoose: () => setTold('rotated') },
            {
              text: 'Revoke',
              icon: 'trash',
              onChoose: () => setTold('revoked'),
              isDangerous: true,
            },
          ]}
        />
      </div>
      <Heap onDone={() => setTold('through')} />
      <p>
        Told: <output>{told}</output>
      </p>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setIsOpen(false)}>
          <p>With a few words.</p>
        </Dialog>
      )}
    </Section>
  )
}

/** Every third item is rejected. */
function Heap({ onDone }: { readonly onDone: () => void }) {
  const bulk = useBulk<number>({
    nameOf: (item) => `Key ${item}`,
    failed: { other: '{count} keys are as they were:' },
    undone: { other: '{count} keys are as before.' },
    onChange: onDone,
  })
  const work = (item: number): Promise<void> =>
    item % 3 === 0 ? Promise.reject(new Error('It is in use.')) : Promise.resolve()
  const doneText = { other: '{count} keys are rotated.' }
  const items = [1, 2, 3, 4, 5]
  return (
    <div class="form-actions">
      <Button onPress={() => bulk.run({ title: 'Rotating', items, work, doneText })}>Heap</Button>
      {bulk.view}
    </div>
  )
}

function Fields() {
  const [sent, setSent] = useState('')
  return (
    <Section title="Fields">
      <Form
        name="gallery"
        initial={{ name: '', text: '', role: 'viewer', all: false }}
        submit="Send"
        onSubmit={async (values) => {
          await Promise.resolve()
          if (values.name === 'taken')
            throw new InvalidFields({ name: 'This name is already taken.' })
          setSent(JSON.stringify(values))
        }}
      >
        <TextInput name="name" label="Name" hint="What it is for." isRequired />
        <TextInput name="text" label="Text" rows={3} isOptional />
        <Select
          name="role"
          label="Role"
          options={[
            { value: 'viewer', text: 'Viewer' },
            { value: 'editor', text: 'Editor' },
          ]}
        />
        <Checkbox name="all" label="All of it" hint="What lies below, too." />
      </Form>
      <p>
        Sent: <output>{sent}</output>
      </p>
    </Section>
  )
}

const ROWS = [
  { id: 1, name: 'website', size: 1_500, state: 'live' },
  { id: 2, name: 'backup', size: 2_000_000, state: 'staged' },
  {
    id: 3,
    name: 'a name that is long enough to need a second line somewhere',
    size: 12,
    state: 'draft',
  },
  { id: 4, name: 'import', size: 999, state: 'live' },
] as const

function Lists() {
  const [sort, setSort] = useState<Sort>({ by: 'name', isDown: false })
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const pages = useCursors()
  const rows = ROWS.toSorted((left, right) => left.name.localeCompare(right.name))
  return (
    <Section title="Lists">
      <Table
        label="Keys"
        rows={sort.isDown ? rows.toReversed() : rows}
        columns={[
          { id: 'name', head: 'Name', cell: ({ name }) => name, canSort: true },
          { id: 'state', head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          { id: 'used', head: 'Last used', cell: () => <DateTime date="2026-03-01T12:00:00Z" /> },
          { id: 'size', head: 'Size', cell: ({ size }) => <Bytes count={size} />, isNumber: true },
        ]}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        sort={sort}
        onSort={setSort}
        selected={selected}
        onSelect={setSelected}
      />
      <Pagination
        pages={pages}
        next={pages.cursor === 'c2' ? null : pages.cursor === 'c1' ? 'c2' : 'c1'}
      >
        Page at {pages.cursor ?? 'the beginning'}, {selected.size} selected
      </Pagination>
      <EmptyState icon="key" title="No keys yet" action={<Button kind="primary">Make one</Button>}>
        Programs send a key with each request.
      </EmptyState>
      <FloatingBar text="2 selected">
        <Button>Disable</Button>
      </FloatingBar>
      <Skeleton lines={2} />
    </Section>
  )
}

function Words() {
  return (
    <Section title="Words">
      <Notice kind="info">It is so.</Notice>
      <Notice kind="success" title="It is done">
        And all is well.
      </Notice>
      <Notice kind="danger" title="It is wrong" actions={<Button>Try again</Button>}>
        Nothing was changed.
      </Notice>
      <p>
        <Badge>disabled</Badge> <Badge kind="danger">expired</Badge>{' '}
        <DateTime date="2020-01-01T00:00:00Z" isRelative /> <DateTime date={null} />
      </p>
      <Secret secret="cms_0123456789abcdef0123456789abcdef0123456789abcdef" />
      <CodeLine text="curl https://www.example.org/api/v2/me" label="A line" />
      <Progress label="a.png" ratio={0.4} />
      <Progress label="b.png" />
    </Section>
  )
}

function Parts() {
  const [shown, setShown] = useState('one')
  return (
    <Section title="Parts">
      <Tabs
        label="Parts"
        shown={shown}
        onShow={setShown}
        tabs={[
          { id: 'one', text: 'One', content: () => <p>The first part.</p> },
          { id: 'two', text: 'Two', content: () => <p>The second part.</p> },
          { id: 'three', text: 'Three', content: () => <p>The third part.</p> },
        ]}
      />
      <TabLinks
        label="Pages of one thing"
        links={[
          { href: '/admin', text: 'Entries', isCurrent: true },
          { href: '/admin/schema', text: 'Schema', isCurrent: false },
        ]}
      />
      <SplitView name="gallery" first={<p>On the left.</p>} second={<p>On the right.</p>} />
    </Section>
  )
}

function Broken(): null {
  throw new Error('It broke.')
}

const PAGES: readonly PageDefinition[] = [
  {
    path: '/',
    title: () => 'Gallery',
    shown: { group: 'site', icon: 'home' },
    load: () => Promise.resolve(Gallery),
  },
  {
    path: '/forbidden',
    title: () => 'Forbidden',
    shown: { group: 'site', icon: 'users' },
    isFor: (me) => mayEverywhere(me, 'admin'),
    load: () => Promise.resolve(Gallery),
  },
  { path: '/broken', title: () => 'Broken', load: () => Promise.resolve(Broken) },
]

const root = document.getElementById('app')
if (root !== null) render(<App pages={PAGES} />, root)
