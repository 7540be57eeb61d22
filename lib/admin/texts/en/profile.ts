// Texts of the profile page.

export const profile = {
  intro: 'Your account: permissions, password and sessions.',
  password: 'Password',
  passwordText: 'A new password ends all your other sessions. Your keys keep working.',
  presentPassword: 'Current password',
  newPassword: 'New password',
  wrongPassword: 'The current password is wrong.',
  changePassword: 'Change password',
  passwordChanged: 'The password was changed.',
  sessions: 'Sessions',
  sessionsText:
    'The browsers and devices where you are signed in. If you do not recognize a session, end it and change your password.',
  thisSession: 'this session',
  since: 'Signed in',
  used: 'last used',
  signOutThere: 'End session',
  signedOut: 'The session {name} has ended.',
  links: {
    title: 'My links',
    about:
      'Links to files, previews and calendars, and invitations that you created. They work without signing in.',
    titleOfUser: 'Links',
    aboutOfUser: 'Links to files, previews and calendars, and invitations that this user created.',
    none: 'There are no links.',
    feed: 'Secret address of the calendar {name}',
    ofUser: 'Password link for {name}',
    made: 'created {when}',
    revokeAll: 'Revoke all links',
    revokeAllTitle: 'Revoke all links?',
    revokeAllText:
      'All these addresses stop working for everyone immediately. This cannot be undone.',
    allRevoked: 'All links were revoked.',
  },
  everywhere: 'Sign out everywhere',
  everywhereTitle: 'Sign out everywhere?',
  everywhereText: 'All your sessions end, including this one. Your keys keep working.',
} as const
