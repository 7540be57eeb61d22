// Texts of the backup page.

export const backup = {
  intro:
    'A backup is a copy of the whole site at one point in time. The server keeps running during the backup.',
  now: 'Download now',
  download: 'Download backup',
  toDisk: 'The browser asks where to save the backup, then writes it to disk as it arrives.',
  byBrowser: 'The browser downloads the backup and shows its progress.',
  handed:
    'The browser is downloading the backup. The backup is complete when the download has finished.',
  running: 'Downloading backup',
  size: 'Received',
  speed: 'Speed',
  elapsed: 'Elapsed',
  stay: 'Keep this page open until the download has finished.',
  done: 'Backup saved: {size}.',
  stopped: 'Backup canceled. The saved part is not a usable backup.',
  busy: 'Another backup is running',
  busyText: 'The server sends one backup at a time. Try again when the other backup has finished.',
  whatIsIn: 'Contents',
  contents: {
    files: 'Every file and folder, with all versions, published or not',
    modules: 'Every datatable and calendar, with all entries',
    people: 'Users, roles and keys',
    trail: 'The audit trail',
    moment:
      'Everything that was saved before the time of the backup, and nothing that was saved later',
  },
  secret: 'Keep backups confidential',
  secretText:
    'A backup contains all content, including unpublished content, and all stored data about users and keys. Store it where you keep passwords.',
  regular: 'Regular backups',
  regularText:
    'Run this command on the server machine. Content that is already in the previous backup is hard-linked and takes no additional disk space.',
  onMachine: 'Backup on the server machine',
  elsewhere:
    'Run this command on another machine. Replace KEY with the secret of a key that has all permissions. An incomplete download is rejected when you restore it.',
  fromElsewhere: 'Backup from another machine',
  restore: 'Restore',
  restoreText: 'Restore into an empty or new directory, then start the server with that directory.',
} as const
