// Actions on records, and the record types whose changes are reported.

/** Audited actions; a route that changes something declares one of them. */
export const ACTIONS = [
  'create',
  'update',
  'delete',
  'upload',
  'publish',
  'stage',
  'unpublish',
  'unstage',
  'restore',
  'schedule_failed',
  'rotate',
  'revoke',
  'sign_in',
  'sign_out',
] as const

export type Action = (typeof ACTIONS)[number]

export type ChangeAction = Exclude<Action, `sign_${string}`>

/** Actions that the change log reports: creates, deletes, and changes of existing records. */
export const CHANGE_ACTIONS = ACTIONS.filter(isChange)

/** Record types whose changes the change log reports. */
export const CHANGED_OBJECTS = [
  'asset_category',
  'asset_file',
  'asset_file_link',
  'file_group',
  'datatable',
  'calendar',
  'datatable_entry',
  'calendar_entry',
  'user',
  'api_key',
  'role',
  'webhook',
  'comment',
  'trash',
] as const

export type ChangedObject = (typeof CHANGED_OBJECTS)[number]

function isChange(action: Action): action is ChangeAction {
  return !action.startsWith('sign_')
}
