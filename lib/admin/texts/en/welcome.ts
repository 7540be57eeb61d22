// Texts of the first start.

export const welcome = {
  steps: 'Step {step} of 2',
  passwordTitle: 'Set your password',
  passwordText:
    'Nobody can sign in to this server yet. The first user is called admin. From now on, sign in with this name and the password that you set here.',
  user: 'User',
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
  onward: 'Go to start page',
  overTitle: 'This link has expired',
  overText:
    'The link was already used or is more than an hour old. If you have set a password, sign in with it. Otherwise, restart the server: it shows a new link as long as nobody can sign in.',
  missingText:
    'The address of this page ends with a code that the server printed at its first start. Open the complete address.',
  toSignIn: 'Go to sign-in',
} as const
