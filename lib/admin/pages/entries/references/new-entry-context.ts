// Opens the form of a new entry in a dialog. Inputs inside a form ask for the dialog here, because a form cannot
// contain another form.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Entry } from '../../../client/module-paths.ts'

export interface WantedEntry {
  readonly tableId: number
  /** Names the place that wants the entry; typed values are stored per place. */
  readonly place: string
  /** The first values of the columns. */
  readonly initial: Entry
  /** The first value of the title column, if the datatable has one. */
  readonly title?: string
  readonly onMade: (id: number) => void
}

type OpenNewEntry = (wanted: WantedEntry) => void

const NewEntryContext = createContext<OpenNewEntry | undefined>(undefined)

export const NewEntryProvider = NewEntryContext.Provider

/** Undefined where the page has no place for the dialog. */
export function useNewEntry(): OpenNewEntry | undefined {
  return useContext(NewEntryContext)
}
