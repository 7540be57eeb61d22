// All keys of the site, for administrators; /keys?user=2 shows those of a user.

import type { ComponentChildren } from 'preact'
import { useLocation, useRoute } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { useApi, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { Pagination, useCursors } from '../../ui/pagination.tsx'
import { RecordPicker } from '../../ui/record-picker.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { UnknownPage } from '../error/error-pages.tsx'
import { ALL, grantsOf, type KeyValues, textOfGrants } from './key.ts'
import { keyColumns } from './key-facts.tsx'
import {
  FIRST_SEARCH,
  type FoundKeys,
  type KeyFilter,
  type KeySearch,
  searchKeys,
} from './key-search.ts'
import { NewKey } from './new-key.tsx'
import { SelectedKeys } from './selected-keys.tsx'
import { WhyDialog } from './why-denied.tsx'

export function KeysPage() {
  const { t } = useTexts()
  const ofUser = useRoute().query['user']
  if (ofUser !== undefined && !/^[1-9]\d{0,14}$/.test(ofUser)) return <UnknownPage />
  return <KeyList title={t.titles.keys} intro={t.keys.intro} base="/keys" ofUser={ofUser} isOfAll />
}

/** The signed-in user's own keys. */
export function TokensPage() {
  const { t } = useTexts()
  return (
    <KeyList
      title={t.titles.tokens}
      intro={t.keys.tokensIntro}
      base="/profile/tokens"
      isOfAll={false}
    />
  )
}

interface KeyListProps {
  readonly title: string
  readonly intro: string
  readonly isOfAll: boolean
  readonly base: string
  /** Initial user filter. */
  readonly ofUser?: string | undefined
}

/**
 * A list of keys: all keys of the site for administrators, or the user's own. Search, filters and order run on the
 * server.
 */
function KeyList(props: KeyListProps) {
  const { title, intro, isOfAll } = props
  const { t } = useTexts()
  const list = useKeys(props)
  const { search, setSearch, pages, found } = list
  const { query } = useLocation()
  const first = firstValues(query)
  const [isAsking, setIsAsking] = useState(query['why'] !== undefined)
  const [isMaking, setIsMaking] = useState(first !== undefined)
  useActions([
    { id: 'new-key', text: t.acts.newKey, icon: 'plus', keys: 'n', run: () => setIsMaking(true) },
    { id: 'why-denied', text: t.access.title, icon: 'info', run: () => setIsAsking(true) },
  ])
  const make = (
    <Button kind="primary" icon="plus" onPress={() => setIsMaking(true)}>
      {t.acts.newKey}
    </Button>
  )
  const { data, error, reload } = found
  const isFiltered = search.text !== '' || search.state !== '' || (isOfAll && search.userId !== '')
  const isEmpty = data?.keys.length === 0 && !pages.hasPrevious

  return (
    <Page
      title={title}
      intro={intro}
      actions={
        <>
          <Button icon="info" onPress={() => setIsAsking(true)}>
            {t.access.title}
          </Button>
          {make}
        </>
      }
      isWide
    >
      {(!isEmpty || isFiltered) && (
        <KeyFilters search={search} onSearch={setSearch} isOfAll={isOfAll} />
      )}
      <Loading data={data} error={error} reload={reload} lines={8} />
      {isEmpty && (
        <NoKeys
          isFiltered={isFiltered}
          make={make}
          onAll={() => setSearch({ ...FIRST_SEARCH, sort: search.sort })}
        />
      )}
      {data !== undefined && !isEmpty && <FoundList {...props} {...list} data={data} />}
      {isAsking && <WhyDialog base={props.base} onClose={() => setIsAsking(false)} />}
      {isMaking && (
        <NewKey
          isOfAll={isOfAll}
          first={first}
          onClose={() => setIsMaking(false)}
          onMade={reload}
        />
      )}
    </Page>
  )
}

interface NoKeysProps {
  readonly isFiltered: boolean
  readonly make: ComponentChildren
  readonly onAll: () => void
}

function NoKeys({ isFiltered, make, onAll }: NoKeysProps) {
  const { t } = useTexts()
  return (
    <EmptyState
      icon={isFiltered ? 'search' : 'key'}
      title={isFiltered ? t.keys.notFound : t.keys.empty}
      action={isFiltered ? <Button onPress={onAll}>{t.keys.showAll}</Button> : make}
    >
      {isFiltered ? t.keys.notFoundText : t.keys.emptyText}
    </EmptyState>
  )
}

/** Initial form values from the URL: ?new=NAME&grants=view,create&folder=12 */
function firstValues({
  new: name,
  grants = ALL,
  folder = '',
}: Readonly<Record<string, string>>): Partial<KeyValues> | undefined {
  if (name === undefined) return undefined
  const known = grants === ALL ? ALL : textOfGrants(grantsOf(grants) ?? [])
  return { name, grants: known, asset_category_id: /^\d{1,15}$/.test(folder) ? folder : '' }
}

type FoundListProps = KeyListProps & ReturnType<typeof useKeys> & { readonly data: FoundKeys }

function FoundList(props: FoundListProps) {
  const { title, isOfAll, base, data, found, pages } = props
  const { search, setSearch, selected, setSelected } = props
  const { t, formats } = useTexts()
  const { keys, users, folders } = data
  return (
    <>
      <Table
        label={title}
        rows={keys}
        columns={keyColumns({ t, isOfAll, base, users, folders })}
        keyOf={(key) => key.api_key_id}
        nameOf={(key) => key.name}
        sort={search.sort}
        onSort={(sort) => setSearch({ ...search, sort })}
        selected={selected}
        onSelect={setSelected}
        isStale={found.isLoading}
      />
      <SelectedKeys
        keys={keys}
        selected={selected}
        onSelect={setSelected}
        onChanged={found.reload}
      />
      <Pagination pages={pages} next={data.next}>
        {formats.count(t.general.total, data.total)}
      </Pagination>
    </>
  )
}

function useKeys({ isOfAll, ofUser = '' }: KeyListProps) {
  const api = useApi()
  const own = String(useMe()?.user.user_id ?? '')
  const [search, setSearch] = useState<KeySearch>({ ...FIRST_SEARCH, userId: ofUser })
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const pages = useCursors()
  const asked = isOfAll ? search : { ...search, userId: own }
  const { cursor } = pages
  const found = useRequest(
    (signal) => searchKeys(api, { ...asked, cursor, signal }),
    [search, own, cursor],
  )
  // Keys that are no longer visible are deselected.
  useEffect(() => setSelected(new Set()), [search, cursor])

  function change(next: KeySearch): void {
    pages.restart()
    setSearch(next)
  }

  return { search, setSearch: change, pages, found, selected, setSelected }
}

interface KeyFiltersProps {
  readonly search: KeySearch
  readonly onSearch: (search: KeySearch) => void
  readonly isOfAll: boolean
}

const PAUSE_MS = 200
const STATES: readonly KeyFilter[] = ['active', 'inactive', 'expired']

/** The filters of the key list. The text is searched after a pause in typing. */
function KeyFilters({ search, onSearch, isOfAll }: KeyFiltersProps) {
  const { t } = useTexts()
  const [text, setText] = useState(search.text)
  useEffect(() => setText(search.text), [search.text])
  useEffect(() => {
    if (text === search.text) return undefined
    const timer = setTimeout(() => onSearch({ ...search, text: text.trim() }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <div class="filters" role="search">
      <TextInput name="find" type="search" label={t.keys.find} value={text} onChange={setText} />
      {isOfAll && (
        <RecordPicker
          object="user"
          name="of-user"
          label={t.keys.user}
          empty={t.keys.anybody}
          value={search.userId}
          onChange={(userId) => onSearch({ ...search, userId })}
        />
      )}
      <Select
        name="state"
        label={t.keys.state}
        value={search.state}
        onChange={(state) =>
          onSearch({ ...search, state: STATES.find((each) => each === state) ?? '' })
        }
        options={[
          { value: '', text: t.keys.anyState },
          ...STATES.map((state) => ({ value: state, text: t.keys.states[state] })),
        ]}
      />
    </div>
  )
}
