// Texts of the page on which a link sets a password: at the first start, and for invited users.

export const welcome = {
  steps: 'Step {step} of 2',
  passwordTitle: 'Set your password',
  passwordText:
    'Nobody can sign in to this server yet. The first user is called admin. From now on, sign in with this name and the password that you set here.',
  invitedText:
    'You are the user {name}. From now on, sign in with this name and the password that you set here.',
  user: 'Name',
  password: 'Password',
  setPassword: 'Set password',
  keyTitle: 'Create your first API key',
  keyText:
    'Programs use an API key to act on your behalf. You can create more keys and revoke them at any time.',
  keyName: 'Key name',
  keyNameHint: 'What the key is for.',
  makeKey: 'Create key',
  skip: 'Skip',
  madeTitle: 'Your key is ready',
  tryOut: 'Try it in a terminal',
  onward: 'Go to Home',
  overTitle: 'This link is no longer valid',
  overText:
    'The link was already used, has expired or was replaced by a newer link. If you have set a password, sign in with it. Otherwise, ask an administrator for a new link.',
  overFirstText:
    'If the server has just started for the first time, restart it. It shows a new link as long as nobody can sign in.',
  missingText: 'The code at the end of the address is missing. Open the complete link.',
  toSignIn: 'Go to sign-in',
} as const
