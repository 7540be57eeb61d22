// What the page of one's own account says.

export const profile = {
  intro: 'Your account: what it may do, its password, and where you are signed in.',
  password: 'Password',
  passwordText: 'With a new password all your other sessions end. Your keys go on.',
  presentPassword: 'Present password',
  newPassword: 'New password',
  wrongPassword: 'This is not the present password.',
  changePassword: 'Change the password',
  passwordChanged: 'The password is changed.',
  sessions: 'Sessions',
  sessionsText: 'Where you are signed in. One that you do not know is a reason for a new password.',
  thisSession: 'this one',
  since: 'Since',
  used: 'used',
  signOutThere: 'Sign out there',
  signedOut: '{name} is signed out.',
  everywhere: 'Sign out everywhere',
  everywhereTitle: 'Sign out everywhere?',
  everywhereText: 'All your sessions end, this one as well. Your keys go on.',
} as const
