// What the pages of the first start say.

export const welcome = {
  steps: 'Step {step} of 2',
  passwordTitle: 'Set your password',
  passwordText:
    'Nobody can sign in to this server yet. Its first user is admin; with the password that you set here you sign in from now on.',
  user: 'User',
  password: 'Password',
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
} as const
