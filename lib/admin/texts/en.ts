// All that the administration area says, in English. A part for each page, in the order of the alphabet; what several
// say is in general. {places} are filled by fill(), counted things by formats.count().

import { clash, picker } from './en/parts.ts'
import { calendar } from './en/calendar.ts'
import { access } from './en/access.ts'
import { content } from './en/content.ts'
import { editor } from './en/editor.ts'
import { data } from './en/data.ts'
import { entries } from './en/entries.ts'
import { file } from './en/file.ts'
import { keys } from './en/keys.ts'
import { palette, shortcuts } from './en/palette.ts'
import { profile } from './en/profile.ts'
import { secondFactor } from './en/second-factor.ts'
import { site } from './en/site.ts'
import { upload } from './en/upload.ts'
import { users } from './en/users.ts'

export const en = {
  ...site,
  calendar,
  access,
  content,
  editor,
  data,
  entries,
  file,
  upload,
  general: {
    product: 'cms-server',
    cancel: 'Cancel',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    loading: 'Loading',
    next: 'Next',
    none: 'None',
    optional: 'optional',
    previous: 'Previous',
    reload: 'Try again',
    resize: 'Move the line between both parts',
    save: 'Save',
    selectAll: 'Select all',
    selectRow: 'Select {name}',
    stop: 'Stop',
    undo: 'Undo',
    saved: 'Saved.',
    total: { one: '{count} in all', other: '{count} in all' },
    selected: { one: '{count} selected', other: '{count} selected' },
  },
  clash,
  connection: {
    lost: 'No connection to the server. Trying again; what you see and type stays.',
  },
  forbidden: {
    title: 'Not for this account',
    text: 'You have signed in as {name}, and this page needs a right that the account does not have. Who runs the site can give it, on the page of users.',
    back: 'To the start page',
  },
  form: {
    kept: 'What you had typed here is still there.',
    discard: 'Begin anew',
    required: 'This is needed.',
  },
  frame: {
    skip: 'Skip to the content',
    menu: 'Menu',
    navigation: 'Pages',
    open: 'Open the menu',
    closeMenu: 'Close the menu',
    profile: 'Account of {name}',
    language: 'Language',
    preferences: 'Language and appearance',
    theme: 'Appearance',
    themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    signOut: 'Sign out',
    groups: {
      start: 'Start',
      content: 'Editorial',
      data: 'Data',
      site: 'Site',
      documents: 'Documents',
    },
    systemApi: 'System API',
    moduleApi: 'Module API',
  },
  failed: {
    title: 'This page could not be loaded',
    text: 'The server has a new version, or the connection broke off. Nothing is lost by loading anew.',
    reload: 'Load anew',
    broken: 'Something on this page went wrong',
    brokenText:
      'What you typed in forms is kept. Load the page anew; when it goes wrong again, tell who runs the site what stands below.',
  },
  keys,
  password: {
    show: 'Show the password',
    hide: 'Hide the password',
    hint: 'At least {count} characters. A sentence is easier to remember than a riddle, and harder to guess.',
    tooShort: 'At least {count} characters are needed.',
  },
  picker,
  problems: {
    'code-required': 'The code of the second factor is needed, too.',
    'code-wrong': 'The code is not one of now, or was used before.',
    'oidc-unavailable':
      'The provider does not answer. Try again in a moment, or sign in with a password.',
    'oidc-refused': 'The sign-in at the provider was not finished. Begin it again.',
    'oidc-no-user':
      'No user here has the email address that the provider told. Who runs the site can enter it, on the page of users.',
    'grant-missing': 'This account may not do that.',
    'key-invalid': 'The session is over.',
    'name-taken': 'The name is taken.',
    'not-found': 'It is not there, or not any more.',
    'precondition-failed': 'Somebody else has changed it meanwhile.',
    'read-only': 'The server takes no changes at the moment.',
    'disk-full': 'The disk of the server is full.',
    'cross-site': 'The server refused it, as it did not come from a page of its own.',
    'session-over': 'The session is over.',
    'sign-in-failed': 'This name and this password do not belong together.',
    'too-large': 'That is too large.',
    'too-many-requests': 'Too many attempts.',
    unavailable: 'The server is busy. Try again in a moment.',
    'welcome-over': 'This link is over.',
    'no-connection':
      'The server cannot be reached. What you typed is still here: try again in a moment.',
    unknown: 'That did not work.',
    retryIn: '{problem} Try again in {wait}.',
    seconds: { one: '{count} second', other: '{count} seconds' },
    minutes: { one: '{count} minute', other: '{count} minutes' },
  },
  profile,
  palette,
  shortcuts,
  secondFactor,
  secret: {
    once: 'It is shown this once. Keep it where you keep passwords.',
    label: 'Secret',
  },
  signIn: {
    title: 'Sign in',
    over: 'Sign in again',
    overText:
      'Your session is over. What you see and typed stays, and goes on when you have signed in.',
    name: 'Name',
    password: 'Password',
    code: 'Code',
    codeHint: 'Six digits from your authenticator app, or one of your recovery codes.',
    or: 'or',
    oidc: 'Sign in by your organisation',
    oidcElsewhere: 'It opens in another tab. Come back here when you have signed in.',
    submit: 'Sign in',
  },
  start: {
    title: 'Start',
    greeting: 'Welcome, {name}',
    intro: 'From here to a published page it is a few steps.',
    steps: 'First steps',
    done: 'done',
    fileTitle: 'Make a page, or upload one',
    fileText:
      'A file is kept with all of its versions, and nobody sees it yet. Upload by dropping files and folders onto the list.',
    publishTitle: 'Publish it',
    publishText:
      'Publishing shows the latest version to visitors. Its address stays the same from version to version.',
    tableTitle: 'Make a table',
    tableText:
      'A table of entries with an address of its own, from which a website reads and to which it writes.',
    keyTitle: 'Make a key for a program',
    keyText:
      'A website or a script signs its requests with an API key, and may do what you choose.',
    lookTitle: 'Look around',
    lookText: 'Folders with their files, and which version of each is live.',
    rights: 'What you may do',
    rightsNone: 'Nothing yet: who runs the site can give you a role.',
    everywhere: 'On the whole site',
    inFolder: 'In {path} and below',
    learn: 'Read and try out',
    learnText: 'Both pages show each request with its answers, and send them for you.',
    systemText: 'Files, folders, users and keys: what is there on every site.',
    moduleText: 'The datatables and calendars of this site.',
    grants: {
      view: 'see',
      create: 'create',
      modify: 'change',
      delete: 'delete',
      stage: 'stage',
      publish: 'publish',
      admin: 'administer',
    },
  },
  state: { live: 'live', staged: 'staged', draft: 'draft' },
  table: {
    sortUp: 'sorted, smallest first',
    sortDown: 'sorted, largest first',
  },
  unknown: {
    title: 'There is no such page',
    text: 'Nothing is at {path}. It may have been moved, or the address has a slip in it.',
    back: 'To the start page',
  },
  users,
  welcome: {
    title: 'Welcome',
    steps: 'Step {step} of 2',
    passwordTitle: 'Set your password',
    passwordText:
      'Nobody can sign in to this server yet. Its first user is admin; with the password that you set here you sign in from now on.',
    user: 'User',
    password: 'Password',
    again: 'The same once more',
    notSame: 'Both are not the same.',
    setPassword: 'Set the password',
    keyTitle: 'Make your first API key',
    keyText:
      'With it programs speak with the server in your name. You can make more, and end each of them, whenever you like.',
    keyName: 'Name of the key',
    keyNameHint: 'What it is for.',
    makeKey: 'Make the key',
    skip: 'Later',
    madeTitle: 'Your key is ready',
    tryOut: 'Try it out in a terminal',
    onward: 'To the start page',
    overTitle: 'This link is over',
    overText:
      'It was used already, or is older than an hour. If you have set a password, sign in with it. If not, start the server again: it shows a new link as long as nobody can sign in.',
    missingText:
      'The address of this page ends with a code that the server told at its first start. Open the whole of it.',
    toSignIn: 'To the sign-in',
  },
} as const
