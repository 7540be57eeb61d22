// Texts of the menus of websites.

export const menus = {
  intro: 'A menu is an ordered list of pages. A shortcode shows the menu in layouts and pages.',
  new: 'New menu',
  create: 'Create menu',
  empty: 'No menus yet',
  emptyText: 'A menu appears on every page whose layout shows it, so you change it in one place.',
  name: 'Name',
  firstName: 'Main menu',
  folder: 'Folder',
  folderHint: 'A website shows the menus of its public folders.',
  count: 'Pages',
  pages: 'Pages',
  pagesHint:
    'Visitors see the title of each published page, or its name if it has no title. To change a title, open the details of the page.',
  add: 'Add pages',
  addTitle: 'Add pages to the menu',
  noPages: 'This menu has no pages yet.',
  shortcode: 'Shortcode',
  shortcodeHint: 'Insert this shortcode into a layout or a page where the menu should appear.',
  isPublic: 'This menu is in a public folder: visitors see a change as soon as you save.',
  notPublic: 'Visitors cannot see this menu, because its folder is not public.',
  actions: 'Actions for this menu',
  delete: 'Delete',
  deleteTitle: 'Delete {name}?',
  deleteText:
    'Layouts and pages that contain the shortcode of this menu will show nothing in its place.',
  changeTitle: 'Change published pages?',
  shownOn: {
    one: 'This menu is on {count} published page:',
    other: 'This menu is on {count} published pages:',
  },
  deleted: '{name} was deleted.',
  created: '{name} was created.',
} as const
