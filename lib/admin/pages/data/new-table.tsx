// Creates a datatable: a starting point, name and folder, and the columns.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { labelsIn } from '../entries/fields.ts'
import { EXAMPLES, Start } from './start.tsx'
import type { Rows } from './guess-schema.ts'
import { faultsAt } from './plan.ts'
import { namesOf } from './schema-draft.ts'
import { SchemaEditor } from './schema-editor.tsx'
import type { TextFault } from './schema-text-field.tsx'
import { FIRST, NO_TITLE, TitleSelect } from './title-select.tsx'
import { useSchemaDraft } from './use-schema-draft.ts'

interface Refused {
  readonly text: string
  readonly faults: readonly TextFault[]
}

interface Values {
  readonly [name: string]: string
  readonly name: string
  readonly parent_category_id: string
  readonly title_field: string
}

const NEW: Values = { name: '', parent_category_id: '', title_field: FIRST }

export function NewTable() {
  const { t } = useTexts()
  const { query } = useLocation()
  const [csv, setCsv] = useState<CsvFile>()
  const { state, refused, make } = useNewTable()
  const names = namesOf(state.good)

  return (
    <Page title={t.acts.newTable} intro={t.data.makeIntro} isWide>
      <Form
        name="new-table"
        initial={{ ...NEW, parent_category_id: /^\d+$/.exec(query['folder'] ?? '')?.[0] ?? '' }}
        submit={t.data.makeSubmit}
        onSubmit={make}
        actions={<ButtonLink href={pathOf('/data')}>{t.general.cancel}</ButtonLink>}
      >
        <Start
          state={state}
          onCsv={(name, rows) => setCsv({ name, rows })}
          onOther={() => setCsv(undefined)}
        />
        {csv !== undefined && <NameByFile name={csv.name} />}
        <div class="new-table-fields">
          <TextInput name="name" label={t.data.name} hint={t.data.nameHint} isRequired />
          <FolderPicker
            name="parent_category_id"
            label={t.data.folder}
            hint={t.data.folderHint}
            empty={t.data.usualFolder}
            isOptional
          />
          <TitleSelect names={names} />
        </div>
        <Section title={t.data.columns}>
          {csv !== undefined && <p class="quiet">{fill(t.data.guessed, { file: csv.name })}</p>}
          <SchemaEditor
            state={state}
            base=""
            faults={refused?.text === state.draft.text ? refused.faults : []}
          />
        </Section>
        {csv !== undefined && <FirstRows {...csv} />}
      </Form>
    </Page>
  )
}

function useNewTable() {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { route } = useLocation()
  const state = useSchemaDraft({ name: 'new-schema', base: '', initial: EXAMPLES.nothing })
  const [refused, setRefused] = useState<Refused>()

  async function make(values: Values, { once }: Filled): Promise<void> {
    const { text } = state.draft
    const wrong = document.querySelector('.schema-editor [aria-invalid="true"]')
    if (wrong !== null) throw new InvalidFields({})
    setRefused(undefined)
    const names = namesOf(text)
    const body = {
      name: values.name,
      table_schema: text,
      title_field: titleOf(values.title_field, names),
      ...(values.parent_category_id !== '' && {
        parent_category_id: Number(values.parent_category_id),
      }),
    }
    try {
      const params = { header: once(body) }
      const { datatable_id: id, name } = await dataOf(api.POST('/datatable', { body, params }))
      state.discard()
      toast({ text: fill(t.data.made, { name }) })
      route(pathOf(`/data/${id}`))
    } catch (error) {
      const faults = error instanceof Problem ? faultsAt(error, text) : []
      if (!(error instanceof Problem) || faults.length < error.facts.errors.length) throw error
      setRefused({ text, faults })
      throw new InvalidFields({})
    }
  }

  return { state, refused, make }
}

function titleOf(chosen: string, names: readonly string[]): string | null {
  if (chosen === NO_TITLE) return null
  return names.includes(chosen) ? chosen : (names[0] ?? null)
}

interface CsvFile {
  readonly name: string
  readonly rows: Rows
}

/** Uses the file name until the user types a name. */
function NameByFile({ name }: { readonly name: string }) {
  const { values, set } = useForm()
  const [known, setKnown] = useState('')
  if (known !== name) {
    setKnown(name)
    const entered = values['name'] ?? ''
    if (entered === '' || entered === nameOfFile(known)) set('name', nameOfFile(name))
  }
  return null
}

function nameOfFile(file: string): string {
  return file.replace(/\.[^.]*$/, '').slice(0, 100)
}

const SHOWN_ROWS = 5

function FirstRows({ name, rows: { heading, rows } }: CsvFile) {
  const { t } = useTexts()
  const title = fill(t.data.firstRows, { file: name })
  const labels = labelsIn(heading)
  return (
    <Section title={title}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region */}
      <div class="table-frame" role="region" aria-label={title} tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              {heading.map((head, at) => (
                <th key={at} scope="col" title={head}>
                  {labels(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN_ROWS).map((row, line) => (
              <tr key={line}>
                {heading.map((_, at) => (
                  <td key={at}>
                    <bdi class="clip">{row[at]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">{t.data.rowsLater}</p>
    </Section>
  )
}
