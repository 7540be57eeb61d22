// What the page of backups says.

export const backup = {
  intro: 'A copy of the whole site at one moment, while it goes on.',
  now: 'Download one now',
  download: 'Download a backup',
  toDisk: 'The browser asks where to, and writes it there while it comes.',
  byBrowser: 'The browser downloads it, and shows how far it is.',
  handed: 'The browser downloads the backup now. It is whole when that is done.',
  running: 'The backup is coming',
  size: 'So far',
  speed: 'Speed',
  elapsed: 'Since',
  stay: 'It goes on as long as this page is open.',
  done: 'The backup is saved: {size}.',
  stopped: 'The backup was stopped. What was written of it is no backup.',
  busy: 'Another backup is being made',
  busyText: 'One at a time is sent. Try again when it is done.',
  whatIsIn: 'What is in it',
  contents: {
    files: 'Every file and folder, with all versions, published or not',
    modules: 'Every datatable and calendar, with all entries',
    people: 'Users, roles and keys',
    trail: 'The audit trail',
    moment: 'The moment of it: what was saved before is in it, what came later is not',
  },
  secret: 'As secret as the site',
  secretText:
    'All content is in it, with what nobody has published, and all that the site knows of users and keys. Keep it where you keep passwords.',
  regular: 'Regular backups',
  regularText:
    'On the machine of the server. With the one before, only what is new takes time and room:',
  onMachine: 'Backup on the machine',
  elsewhere:
    'From another machine, with a key that holds every grant in place of KEY. What was cut off is refused when it is restored:',
  fromElsewhere: 'Backup from elsewhere',
  restore: 'Bring it back',
  restoreText: 'Into a directory that is empty or not there; the server starts with it then.',
} as const
