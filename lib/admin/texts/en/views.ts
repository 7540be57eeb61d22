// Texts of saved views.

export const views = {
  button: 'Views',
  removeOne: 'Delete a view',
  reload: 'Reload saved views',
  save: 'Save this view',
  name: 'Name of the view',
  hint: 'The search, filters and order of this list. Only you see your views.',
  saved: 'View {name} saved.',
  removeTitle: 'Delete views',
  remove: 'Delete {name}',
  removed: 'View {name} deleted.',
  tooMany: 'You already have {count} views. Delete a view first.',
  tooLong: 'This search is too long to be saved. Use fewer conditions.',
} as const
